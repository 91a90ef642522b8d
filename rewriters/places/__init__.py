"""Places: who else sees a tensor that changes in place.

Within a function each local name holds *sites*: what made the tensor that it is, or what it is a part of. A tensor that
changes in place is seen by whoever holds one of its sites and is read later, and by everybody outside if it came from
there or went there. Nothing here says what a target does about it.
"""

from rewriters.places.changes import Change
from rewriters.places.lookup import Places
from rewriters.places.sites import Reader

__all__ = ["Change", "Places", "Reader"]
