"""Checker: syntax tree to typed program, or diagnostics."""

from linnet.checker._check import CheckResult, check
from linnet.checker._paths import ParameterPath, parameter_paths
from linnet.checker._program import Block, TypedProgram

__all__ = ["Block", "CheckResult", "ParameterPath", "TypedProgram", "check", "parameter_paths"]
