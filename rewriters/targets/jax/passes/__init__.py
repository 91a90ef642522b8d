"""What single rules cannot see, so that another rule answers: the keys with a colon.

* Layers with products in a project that uses autocast (``autocast.py``).
* Joining what may be an empty vector (``places/empties.py``).
* Numbers and arrays in one index, apart (``numbers_apart.py``).
* What objects that are gone through by ``__getitem__`` take from (``bounded_items.py``).
* Sums of what is of 8 bits at times (``byte_sums.py``).
* What has another gradient at a kink (``kinks.py``).
* Hooks of what nothing says to be a module (``hooks.py``).
* Layers of NNX's own that are asked for their parts or parameters (``asked_modules.py``).
"""

from __future__ import annotations

import ast

from rewriters.hooks import chooses_rules
from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo
from rewriters.places import empties
from rewriters.targets.jax.passes import asked_modules, autocast, hooks
from rewriters.targets.jax.passes.bounded_items import bounded_items
from rewriters.targets.jax.passes.byte_sums import byte_sums
from rewriters.targets.jax.passes.kinks import kinks
from rewriters.targets.jax.passes.numbers_apart import numbers_apart


@chooses_rules
def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of this module that a special rule answers for, with the rule's key."""
    found = autocast.layers(module) if autocast.is_used(project) else {}
    found |= empties.keys(module)
    found |= numbers_apart(module)
    found |= byte_sums(module)
    found |= kinks(project, module)
    found |= bounded_items(project, module)
    found |= hooks.hooks(project, module)
    return found | asked_modules.layers(module) if asked_modules.are_asked(project) else found
