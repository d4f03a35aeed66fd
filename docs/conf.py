"""How the pages are built: `make docs`."""

import sys
from pathlib import Path

from readhead import __version__
from readhead.data.own_file import SYNONYMS
from readhead.own_sizes import DEFAULT_READER, SIZES, default_reader

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "readhead"
copyright = "the authors of readhead, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings", "mathml", "offline", "pictures", "results_tables"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["dollarmath", "colon_fence", "substitution"]
myst_heading_anchors = 3

# Tables that would go stale if they were typed.
myst_substitutions = {
    "synonyms": "\n".join(
        ["| taken for | names |", "|---|---|"]
        + [f"| {meant} | {', '.join(f'`{name}`' for name in names)} |" for meant, names in SYNONYMS.items()]
    ),
    "readers": "\n".join(
        ["| `--task` | reads by | with `--vectors` |", "|---|---|---|"]
        + [
            f"| `{task}` | `{reader}` | `{default_reader(task, vectors=True)}` |"
            for task, reader in DEFAULT_READER.items()
        ]
    ),
    "sizes": "\n".join(
        [
            "| words of text | epochs, at most | without a gain, at most | texts of a batch, at least |",
            "|---|---|---|---|",
        ]
        + [
            f"| {'more' if size.words is None else f'up to {size.words:,}'} | {size.training['epochs']} "
            f"| {size.training['patience']} | {size.training['batch_size']} |"
            for size in SIZES
        ]
    ),
}

html_theme = "furo"
html_title = "readhead"
html_static_path = ["_static"]
html_css_files = ["readhead.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "monokai"
html_theme_options = {"footer_icons": []}

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
default_role = "literal"
maximum_signature_line_length = 80

nitpick_ignore_regex = [
    # Types of other projects: to link to them, their pages would have to be fetched while these are built.
    ("py:.*", r"(torch|jaxtyping|numpy|np|huggingface_hub|pathlib|collections|typing)\..*"),
    ("py:.*", r"Tensor|nn\.Module|Path|Float|Bool|ndarray|optional"),
    # Types of ours that stand in a signature, and that nobody makes or takes apart by hand.
    ("py:class", r"(readhead\.)?([a-z_]+\.)*(Vocabulary|Tokenizer|RunFiles|Task|Report|Material|Size|Part|SlotStates)"),
]
