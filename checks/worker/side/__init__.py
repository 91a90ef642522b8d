"""One side of a check, or of a measurement.

``commands.py`` is the process; ``checks.parity.process`` starts it and talks to it.
"""
