"""What the API raises for a user's mistake or a failed tool: one line and what to do."""

from linnet.errors._errors import (
    ArgumentError,
    ArtifactError,
    BackendError,
    CapabilityError,
    CardError,
    ConversionError,
    InternalError,
    LinnetError,
    NestError,
    ProgramError,
    UsageError,
    WeightsError,
    unknown_name,
)

__all__ = [
    "ArgumentError",
    "ArtifactError",
    "BackendError",
    "CapabilityError",
    "CardError",
    "ConversionError",
    "InternalError",
    "LinnetError",
    "NestError",
    "ProgramError",
    "UsageError",
    "WeightsError",
    "unknown_name",
]
