"""Differential tests of the lowering passes, and the interpreter that they compare with."""
