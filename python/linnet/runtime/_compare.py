"""How far one model's logits are from another's."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linnet.errors import UsageError
from linnet.runtime._model import Model


@dataclass(frozen=True, slots=True)
class LogitsReport:
    """Differences over all positions; the last axis of a result is taken for the vocabulary.

    `top1_agreement` is the share of positions where both rank the same token first; `mean_kl` and
    `max_kl` are of KL(given || other) in nats, of the softmax in f64.
    """

    entry: str
    positions: int
    max_abs_diff: float
    top1_agreement: float
    mean_kl: float
    max_kl: float


def compare_logits(
    given: Model, other: Model, entry: str, inputs: Mapping[str, object]
) -> LogitsReport:
    """Call an entry of both models with the same inputs and compare what they give.

    UsageError for an entry whose result is no single floating tensor.
    """
    found: list[NDArray[Any]] = []
    for model in (given, other):
        model.reset()
        results = model.call_named(entry, inputs)
        if len(results) != 1:
            raise UsageError(f"entry `{entry}` gives {len(results)} results", "name one of logits")
        (result,) = results.values()
        if result.dtype.kind not in "fV" or not result.ndim:
            raise UsageError(f"entry `{entry}` gives no logits", "name another with --check-entry")
        found.append(result.astype(np.float64).reshape(-1, result.shape[-1]))
    wide, narrow = found
    logs = [x - x.max(-1, keepdims=True) for x in found]
    logs = [x - np.log(np.exp(x).sum(-1, keepdims=True)) for x in logs]
    kl = (np.exp(logs[0]) * (logs[0] - logs[1])).sum(-1)
    return LogitsReport(
        entry,
        len(wide),
        float(np.abs(wide - narrow).max()),
        float((wide.argmax(-1) == narrow.argmax(-1)).mean()),
        max(0.0, float(kl.mean())),
        max(0.0, float(kl.max())),
    )
