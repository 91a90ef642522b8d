"""What runs inside an interpreter of a check; loaded by path as a package of its own name, Python 3.8 and numpy only.

``worker.py`` is the process; ``checks.process`` starts it and talks to it.
"""
