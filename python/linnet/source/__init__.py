"""Source text: files, spans and positions. Nothing here knows the language."""

from linnet.source._file import Position, SourceFile, Span, Unreadable, decode, read

__all__ = ["Position", "SourceFile", "Span", "Unreadable", "decode", "read"]
