"""Checker: syntax tree to typed program, or diagnostics."""

from linnet.checker._check import CheckResult, check

__all__ = ["CheckResult", "check"]
