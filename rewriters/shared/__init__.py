"""Rules that several targets say alike, of no framework by name: ``rewriters.rules.sharing`` says how they are read."""
