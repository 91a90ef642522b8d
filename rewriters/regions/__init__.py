"""``migrate convert --static``: training loops and models into static graphs.

What a graph can hold and how it is written is the target's (``rewriters/hooks.py``), which returns what is to be done
with each file, a ``Plan``. This package has what such a file is made of: which code a
model's forward runs and what in it no graph holds (``tracing``, ``hazards``), and training loops (``loops``). What is
not understood is left as it stands, with the reason.
"""

from rewriters.regions.plan import Plan

__all__ = ["Plan"]
