"""Rule files: read as text, matched with calls, inlined, ordered. Imports text, torch, weights, infer.values."""
