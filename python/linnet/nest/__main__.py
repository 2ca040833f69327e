"""`python -m linnet.nest`: the command `linnet nest`."""

import sys

from linnet.cli import main

if __name__ == "__main__":
    main(["nest", *sys.argv[1:]])
