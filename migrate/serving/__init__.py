"""Serving: what ``migrate export`` wrote, as a Triton model repository, and the server that runs it.

``repository.py`` writes one (``config.py`` its config.pbtxt, ``rows.py`` sees whether requests may be batched),
``server.py`` starts Triton on this machine, ``check.py`` compares what a server answers with torch. ``worker/`` is what
runs elsewhere: ``client.py`` and ``model.py`` are handed out.
"""
