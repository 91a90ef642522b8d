"""Tables of small programs over what torch offers: each thing at each number, dtype, index, rank, option, mode."""
