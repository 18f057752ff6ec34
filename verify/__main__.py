"""`python -m lemmata.verify` is the command `lemmata`."""

from .cli import main

if __name__ == "__main__":
    main()
