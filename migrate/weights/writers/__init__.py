"""Outputs: formats, ranges copied or brought into order, the manifest, all aside until done. Imports carry, readers."""
