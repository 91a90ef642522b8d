"""Gradients as a value: what a function does with them, for targets in which they are what a function gives.

In torch a gradient lies at its parameter: ``zero_grad`` clears it, ``backward`` adds to it, clipping and ``p.grad``
read it, ``step`` consumes it. Here each of these is an event (``events``); which of them reaches which is found by
following the function (``flow``), what is differentiated with respect to what by what an optimizer trains
(``trained``), and the statements that compute a loss are found from the loss back to the inputs (``losses``). A
function's events are taken all or none (``find``); ``write`` puts what a target says of them (``rewriters/hooks.py``)
in their places.
"""
