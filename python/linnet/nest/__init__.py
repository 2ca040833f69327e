"""Models as directories: a card, a program, bindings and weights, loaded on any backend."""

from linnet.nest._arrays import Arrays, open_arrays
from linnet.nest._backends import BACKENDS, Backend, backend, needs_extra
from linnet.nest._card import CARD, Card, CardWeights, card_schema, parse_card, read_card
from linnet.nest._check import Report, Step, check
from linnet.nest._convert import (
    FAMILIES,
    GGUF_ARCHITECTURES,
    GGUF_PRES,
    PASSED_ON,
    Converted,
    Facts,
    Family,
    Published,
    convert,
    gguf_form,
    llama3_factors,
    published,
    to_gguf,
    whole_folder,
)
from linnet.nest._describe import described, listed, weights_state
from linnet.nest._find import find, packaged, pull
from linnet.nest._hub import Hub, RemoteFile
from linnet.nest._load import load
from linnet.nest._model import Model, Origin
from linnet.nest._page import page_of
from linnet.nest._program import Opened, open_program
from linnet.nest._protocol import Build, Built, Compile, Numerics, Weights
from linnet.nest._pull import Pulled, pulled_nests

__all__ = [
    "BACKENDS",
    "CARD",
    "FAMILIES",
    "GGUF_ARCHITECTURES",
    "GGUF_PRES",
    "PASSED_ON",
    "Arrays",
    "Backend",
    "Build",
    "Built",
    "Card",
    "CardWeights",
    "Compile",
    "Converted",
    "Facts",
    "Family",
    "Hub",
    "Model",
    "Numerics",
    "Opened",
    "Origin",
    "Published",
    "Pulled",
    "RemoteFile",
    "Report",
    "Step",
    "Weights",
    "backend",
    "card_schema",
    "check",
    "convert",
    "described",
    "find",
    "gguf_form",
    "listed",
    "llama3_factors",
    "load",
    "needs_extra",
    "open_arrays",
    "open_program",
    "packaged",
    "page_of",
    "parse_card",
    "published",
    "pull",
    "pulled_nests",
    "read_card",
    "to_gguf",
    "weights_state",
    "whole_folder",
]
