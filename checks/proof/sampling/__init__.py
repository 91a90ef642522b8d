"""PyTorch's samples, and those written by hand, printed as source with torch's answers. Runs in torch's interpreter,
started by ``checks/worker/start.py``: may import torch and ``checks.worker``.
"""
