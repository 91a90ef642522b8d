"""Proving a target's rules: PyTorch's own samples through the real rewriter and target; records and pages."""
