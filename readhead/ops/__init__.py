"""Operations: tensors in, tensors out; no parameters, no text.

An op is a package: `reference` is its definition, its other files are the same thing, faster, and its public
function picks one of them (`backends`). OPS lists the packages by the op's name.
"""

from readhead.ops.attend import attend
from readhead.ops.backends import Choice, chosen_backend
from readhead.ops.fusion import FusedTapes, fusion
from readhead.ops.lstmn import Tapes, lstmn
from readhead.ops.nse import Memories, nse

OPS = {
    "attend": "readhead.ops.attend",
    "lstmn": "readhead.ops.lstmn",
    "fusion": "readhead.ops.fusion",
    "nse": "readhead.ops.nse",
}

__all__ = ["OPS", "Choice", "FusedTapes", "Memories", "Tapes", "attend", "chosen_backend", "fusion", "lstmn", "nse"]
