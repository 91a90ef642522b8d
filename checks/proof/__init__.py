"""Is a rule right? Samples are printed in torch's interpreter (``sampling/``), run in the target's (``pool.py``, by
``checks/worker/samples/``) and judged here. ``samples/`` are those written by hand, read as text.
"""
