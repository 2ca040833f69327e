"""Diagnostics: what a problem is, and how it is shown to people and to tools."""

from linnet.diagnostics._codes import CODES, Severity, severity_of
from linnet.diagnostics._diagnostic import Diagnostic, Edit, Label, Witness, in_source_order
from linnet.diagnostics._machine import JsonValue, schema_text, to_json
from linnet.diagnostics._render import render, render_all, summary, wants_colour
from linnet.diagnostics._suggest import did_you_mean

__all__ = [
    "CODES",
    "Diagnostic",
    "Edit",
    "JsonValue",
    "Label",
    "Severity",
    "Witness",
    "did_you_mean",
    "in_source_order",
    "render",
    "render_all",
    "schema_text",
    "severity_of",
    "summary",
    "to_json",
    "wants_colour",
]
