"""`python -m linnet.cli`: the command line."""

from linnet.cli._main import main

if __name__ == "__main__":
    main()
