"""Explanations: what each code means, with a program that has the problem and its repair."""

from linnet.explanations._groups import groups
from linnet.explanations._page import Page, Sources, explanation, explanations, main_file

__all__ = ["Page", "Sources", "explanation", "explanations", "groups", "main_file"]
