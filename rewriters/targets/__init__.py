"""The frameworks that torch code is rewritten to, a folder each. The engine names none of them."""
