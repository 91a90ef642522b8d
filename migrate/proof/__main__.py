"""``python -m migrate.proof TARGET [RULE ...]``."""

from migrate.proof.prove import main

if __name__ == "__main__":
    main()
