"""How a target stores parameters: the words of rules, recipes of blocks, checkpoint writers' interface."""
