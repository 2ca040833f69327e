"""std.nn.loss: f32 whatever the logits' dtype."""

from collections.abc import Callable

import numpy as np

from std._cases import Cases, Make, Probe, entry
from std._precision import BF16, F16, F32, Array, Expected, Precision, Wide, exact, in_f32

cases = Cases("std.nn.loss")
ALL = (F32, BF16, F16)
TARGETS = np.array([0, 6, 3, 3, 1], np.int64)
WEIGHTS = np.array([1.0, 0.5, 0.0, 2.0, -1.0], np.float32)
TYPES = {"targets": "Tensor[5; i64]", "weights": "Tensor[5; f32]"}
GIVEN: dict[str, Array] = {"targets": TARGETS, "weights": WEIGHTS}


def log_softmax(x: Wide) -> Wide:
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def chosen(logs: Wide) -> Wide:
    return logs[np.arange(5), TARGETS]


def of_logits(name: str, result: str, formula: Callable[[Wide], Wide], *extra: str) -> Make:
    def make(p: Precision) -> Probe:
        logits = p.random(5, 7, scale=3.0)
        text = entry(
            f"std.nn.loss::{{{name}}}",
            f"{name}({', '.join(('logits', *extra))})",
            result,
            logits=f"Tensor[5, 7; {p.name}]",
            **{key: TYPES[key] for key in extra},
        )
        value = np.asarray(formula(log_softmax(exact(logits))))
        given = {"logits": logits, **{key: GIVEN[key] for key in extra}}
        return Probe(text, in_f32(value, 16.0), given)

    return make


def cross_entropy(logs: Wide) -> Wide:
    return np.asarray(-(chosen(logs) * WEIGHTS).sum())


def entropy(logs: Wide) -> Wide:
    return -(np.exp(logs) * logs).sum(-1)


LOGS, ROWS = "Tensor[5, 7; f32]", "Tensor[5; f32]"
cases.add("log_softmax", "log_softmax", of_logits("log_softmax", LOGS, lambda logs: logs), *ALL)
made = of_logits("token_log_probs", ROWS, chosen, "targets")
cases.add("token_log_probs", "token_log_probs", made, *ALL)
made = of_logits("cross_entropy", "f32", cross_entropy, "targets", "weights")
cases.add("cross_entropy", "cross_entropy_is_weighted_and_not_averaged", made, *ALL)
cases.add("entropy", "entropy", of_logits("entropy", ROWS, entropy), *ALL)


@cases.of("log_softmax")
def log_softmax_of_large_logits_is_finite(p: Precision) -> Probe:
    logits = p.of([[1e4, -1e4, 0.0], [3e4, 3e4, 3e4]])
    text = entry(
        "std.nn.loss::{log_softmax}",
        "log_softmax(logits)",
        "Tensor[2, 3; f32]",
        logits=f"Tensor[2, 3; {p.name}]",
    )
    return Probe(text, in_f32(log_softmax(exact(logits)), 3e4), {"logits": logits})


@cases.of("entropy")
def entropy_of_equal_logits_is_the_log_of_their_number(p: Precision) -> Probe:
    logits = p.of(np.full((2, 8), 7.0))
    text = entry(
        "std.nn.loss::{entropy}",
        "entropy(logits)",
        "Tensor[2; f32]",
        logits=f"Tensor[2, 8; {p.name}]",
    )
    return Probe(text, in_f32(np.full(2, np.log(8)), 3.0), {"logits": logits})


def projected(p: Precision, logs: Callable[[Wide], Wide], hidden: Array, weight: Array) -> Expected:
    """The logits are rounded to T: in bf16 and f16 that moves each by some units of its terms.

    Every loss here changes by at most the sum of twice those moves, weighted.
    """
    value = np.asarray(logs(log_softmax(exact(hidden) @ exact(weight).T)))
    moved = (abs(exact(hidden)) @ abs(exact(weight)).T).max(-1) * p.unit * (hidden.shape[-1] + 2)
    weighted = (2 * moved * abs(WEIGHTS)).sum() if value.ndim == 0 else 2 * moved
    return Expected(np.dtype(np.float32), value, weighted + 32 * F32.unit * 16)


def of_hidden(name: str, result: str, formula: Callable[[Wide], Wide], *extra: str) -> Make:
    def make(p: Precision) -> Probe:
        hidden, weight = p.random(5, 4), p.random(7, 4, seed=1)
        text = entry(
            f"std.nn.loss::{{{name}}}",
            f"{name}({', '.join(('hidden', 'weight', *extra))})",
            result,
            hidden=f"Tensor[5, 4; {p.name}]",
            weight=f"Tensor[7, 4; {p.name}]",
            **{key: TYPES[key] for key in extra},
        )
        given = {"hidden": hidden, "weight": weight, **{key: GIVEN[key] for key in extra}}
        return Probe(text, projected(p, formula, hidden, weight), given)

    return make


made = of_hidden("linear_token_log_probs", ROWS, chosen, "targets")
cases.add("linear_token_log_probs", "linear_token_log_probs", made, *ALL)
made = of_hidden("linear_cross_entropy", "f32", cross_entropy, "targets", "weights")
cases.add("linear_cross_entropy", "linear_cross_entropy", made, *ALL)

test_value = cases.test()
