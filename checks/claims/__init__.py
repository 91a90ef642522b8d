"""What the inference claims of expressions, held against what they are when the source program runs in torch.

``instrument.py`` wraps each expression that a claim is made of, ``holding.py`` says whether a value is as claimed,
``observing.py`` imports instrumented projects and counts.
"""
