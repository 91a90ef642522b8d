"""Programs of one call each, made from torch's documented signatures: every way in which each call may be written."""
