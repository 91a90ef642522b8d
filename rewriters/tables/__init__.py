"""Commands that write the generated tables: of torch by asking torch, of a target by asking both."""
