"""The formatter: a program in the one style of spec section 15."""

from linnet.formatter._format import Formatted, format_source

__all__ = ["Formatted", "format_source"]
