"""``migrate bench``: how fast a model is in torch and in the target, eager and static, on this machine.

``session`` runs the sides and measures, ``statistics`` judges, ``machine`` says what it ran on, ``show`` prints.
"""
