"""The command line: `linnet`. Each command is a module of its own, loaded when it is used."""

from linnet.cli._main import main

__all__ = ["main"]
