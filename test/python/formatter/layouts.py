"""Programs in other layouts: the same tokens with other white space and comments between them."""

import random
import re

from linnet.source import SourceFile
from linnet.syntax import RESERVED_WORDS, parse_with_tokens

# What may stand between two tokens; each separates them.
_SPACES = (" ", " ", " ", "\n", "\n", "\n\n", "\n\n\n", "\t", "\r\n", " \n  ", "  ")
_COMMENTS = (
    " // {}\n",
    "\n// {}\n",
    "\n\n    // {}\n\n",
    "\n/* {} */\n",
    " /* {} */ ",
    "/* {} /* nested */ */",
    " /* {}\n      on two lines */ ",
    "\n  /* {}\n   * on two lines\n   */\n",
    "\n/* {} */ /** and another */\n",
    " // {} λ 漢字 🙂\r\n",
    " /* {} */ // twice\n",
    "\n/// {}\n",
)


def tokens_of(text: str) -> list[str]:
    """The texts of a program's tokens."""
    result, tokens = parse_with_tokens(SourceFile("layout", text))
    assert result.tree is not None
    pairs = zip(tokens.starts[:-2], tokens.ends[:-2], strict=True)
    return [text[start:end] for start, end in pairs]


def in_another_layout(tokens: list[str], seed: int, share: float) -> tuple[str, list[str]]:
    """The tokens with random white space, and comments in a share of the places between them.

    The second value has the words that each comment holds, in order.
    """
    chance = random.Random(seed)
    parts: list[str] = []
    notes: list[str] = []
    for token in [*tokens, ""]:
        count = (chance.random() < share) + (chance.random() < share / 5)
        for _ in range(count):
            notes.append(f"note{len(notes)}")
            slash = bool(parts) and parts[-1].endswith("/")  # It would make `/*` a `//`.
            parts.append((" " if slash else "") + chance.choice(_COMMENTS).format(notes[-1]))
        if not count or chance.random() < 0.5:
            parts.append(chance.choice(_SPACES))
        parts.append(token)
    return "".join(parts), notes


# Names that the grammar knows, which stay as they are.
_KNOWN = frozenset(
    re.findall(
        r"\w+",
        "Tensor Dim Shape DType Numeric Integer Float sum prod max min any all grad grid warps "
        "stages store atomic_add atomic_max atomic_min",
    )
)


def with_longer_names(tokens: list[str], seed: int) -> list[str]:
    """The tokens with longer names, each the same everywhere, so that lines must break."""
    chance = random.Random(seed)
    longest = chance.choice((4, 12, 30, 60))
    names: dict[str, str] = {}
    return [
        names.setdefault(token, f"{token}_{'x' * chance.randint(0, longest)}")
        if token.isidentifier() and token not in _KNOWN and token not in RESERVED_WORDS
        else token
        for token in tokens
    ]
