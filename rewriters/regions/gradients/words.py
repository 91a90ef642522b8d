"""What a target says of gradients: the interface of its ``training.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from rewriters.regions.plan import Draft


@dataclass(frozen=True)
class Computation:
    """A loss with its gradients, as text of the target.

    function:   the name of the function that computes the loss; step: of the one around it that is compiled, "" where
                nothing is.
    modules:    parameter -> argument, of the modules; the first ``trained`` of them are differentiated.
    given:      names that go in and are bound anew.
    body:       the statements that compute the loss, in the target's words.
    final:      the expression that is the loss; name: what it is bound to, "" for nothing.
    outputs:    what else comes out.
    gradients:  what they are bound to: a name, or a pattern of names.
    notes:      comments to stand above them.
    inputs:     parameter -> argument, of what else a compiled function is given.
    fixed:      parameters whose values it is compiled for.
    ordered:    dicts go in or come out.
    hidden:     what the body calls comes to modules by itself, too.
    update:     the statements that follow in the compiled function: clipping and the step; left: names that these give.
    """

    function: str
    step: str
    modules: dict[str, str]
    trained: int
    given: list[str]
    body: list[str]
    final: str
    name: str
    outputs: list[str]
    gradients: str
    notes: list[str]
    inputs: dict[str, str]
    fixed: list[str]
    update: list[str]
    left: list[str]
    ordered: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Carried:
    """Outputs with the function that carries gradients back to what they are computed from.

    function: the name of the function of the inputs; given: names that it reads and binds anew.
    body:     the statements that compute the outputs; final: the expression that is differentiated.
    value:    what that is bound to; backward: what the function that carries back is bound to; outputs: what else
              comes out.
    module:   the input is a module, whose parameters' gradients are carried back to.
    arguments: what the inputs are given; ordered: dicts may be among what else comes out.
    """

    function: str
    inputs: list[str]
    given: list[str]
    body: list[str]
    final: str
    value: str
    backward: str
    outputs: list[str]
    module: bool
    arguments: list[str]
    ordered: bool = False


@dataclass(frozen=True)
class Recording:
    """Results of modules and of what was kept, recorded with what carries gradients back.

    function: the name of the function that computes them; inputs: parameter -> argument; given, body: as above.
    results:  the expressions; bound: the names that they are bound to.
    """

    function: str
    inputs: dict[str, str]
    given: list[str]
    body: list[str]
    results: list[str]
    bound: list[str]


class Words(Protocol):
    """A target's.

    lays: whether gradients may lie at parameters, too, as those that several functions touch do.
    held: what reads the array of what holds a parameter.
    number: what reads the number that an array without axes holds.
    """

    lays: bool
    held: str
    number: str

    def computed(self, what: Computation, draft: Draft) -> tuple[list[str], list[str]]:
        """The lines of a function of the file, none where nothing is compiled, and those in the statements' place."""

    def begun(
        self, function: str, modules: dict[str, str], body: list[str], outputs: list[str], backward: str, draft: Draft
    ) -> list[str]:
        """The lines that compute what several losses share, with the function ``backward``: of the gradients of the
        outputs (None: of none; a tuple of several) it gives those of the modules, of several a tuple.

        modules: parameter -> argument.
        """

    def added(self, gradients: str, more: str, draft: Draft) -> str:
        """Add gradients to what may be None."""

    def cleared(self, gradients: str, draft: Draft) -> str:
        """Have none."""

    def clipped(self, gradients: str, kind: str, name: str, arguments: str, draft: Draft) -> str:
        """Clip by "norm" or "value"; the norm is bound to the name, if there is one."""

    def unscaled(self, scaler: str, optimizer: str, gradients: str, draft: Draft) -> str:
        """Take the scale of a loss out of gradients of it, before the optimizer steps by the scaler."""

    def updated(self, optimizer: str, modules: str, gradients: str, scaler: str, draft: Draft) -> str:
        """A step of the optimizer, by a scaler where one has scaled the loss; gradients may be None."""

    def constant(self, expression: str, sure: bool, draft: Draft) -> str:
        """The same, as a constant for gradients.

        sure: a tensor or several; else it may be anything, and what holds a parameter is to stay what it is.
        """

    def same_gradient(self, before: str, name: str, draft: Draft) -> str:
        """What a name has become without gradients, whose gradients go on to what it was."""

    def constant_in(self, mode: str, expression: str, draft: Draft) -> str:
        """The same where the mode, a context manager, is one without gradients."""

    def constant_changes(self, objects: list[str], draft: Draft) -> str:
        """A context manager: what attributes of these objects are changed to in its block is a constant."""

    def read(self, parameter: str, modules: str, gradients: str, draft: Draft) -> str:
        """The gradient of one parameter, as an expression; of no modules, that which lies at it."""

    def changed(self, parameter: str, modules: str, gradients: str, value: str, draft: Draft) -> str:
        """Give one parameter another gradient, None for none; of no modules, have it lie at it."""

    def stored(self, array: str, index: str, value: str) -> str:
        """An array with a part that is another, as an expression."""

    def laid(self, modules: str, gradients: str, draft: Draft) -> str:
        """Add gradients to what lies at the parameters of modules."""

    def cleared_at(self, owner: str, draft: Draft) -> str:
        """Clear what lies at the parameters of a module, as an expression."""

    def clipped_at(self, kind: str, arguments: str, draft: Draft) -> str:
        """Clip by "norm" or "value" what lies at the parameters that are the first argument, as an expression."""

    def arrays(self, name: str, draft: Draft) -> str:
        """A list of which some items may hold parameters, as one of arrays."""

    def carried(self, what: Carried, draft: Draft) -> list[str]:
        """The lines that compute outputs together with the function that carries gradients back."""

    def recorded(self, what: Recording, draft: Draft) -> list[str]:
        """The lines that compute results, recorded for ``backward``; bound to nothing, they are one expression."""

    def backward(self, loss: str, draft: Draft) -> str:
        """Add the gradients of a recorded loss to what lies at the parameters that it came from."""

    def traced(self, value: str, given: dict[str, str], bound: list[str], modules: list[str], draft: Draft) -> str:
        """An expression of what is given, parameter -> argument, of names that are bound as they are, and of modules,
        traced for ``gradients_of``."""

    def gradients_of(self, given: dict[str, str], draft: Draft) -> str:
        """The gradients of what is traced, as an expression that is a tuple. given: torch.autograd.grad's words."""

    def pulled(self, backward: str, by: str, value: str, constant: bool, plain: bool, draft: Draft) -> str:
        """The gradients of a carried value's inputs, as an expression that is a tuple.

        by: the gradient of the value, "" where it is 1; constant: nothing is differentiated through them;
        plain: each input is a tensor for sure, and no list of them.
        """
