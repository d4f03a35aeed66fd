"""Operations: tensors in, tensors out; no parameters, no text.

An op is a package: `reference` is its definition, its other files are the same thing, faster, and its public
function picks one of them (`backends`). OPS lists the packages by the op's name.
"""

from readhead.ops.attend import attend
from readhead.ops.backends import Choice, chosen_backend

OPS = {
    "attend": "readhead.ops.attend",
}

__all__ = ["OPS", "Choice", "attend", "chosen_backend"]
