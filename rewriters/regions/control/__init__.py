"""Branches and loops that a tensor's value decides, as functions: what a compiled function holds instead of them.

``effects`` finds what no such function may do, ``sources`` what each way's results depend on, ``find`` what goes in and
what comes out; a target's words (``words``) say how it is written (``write``). What is not understood stays, with the
reason.
"""
