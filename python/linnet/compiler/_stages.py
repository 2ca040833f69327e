"""Stages by name: timed, dumped, and stopped after."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from linnet.errors import UsageError, unknown_name

STAGES = ("syntax", "checker", "emit", "verify", "bind", "lower", "stablehlo", "backends")
T = TypeVar("T")


class StageReached(Exception):  # noqa: N818 - it ends a run that was asked to end there
    """The stage of `--stop-after` is done; `text` is its output in its printed form."""

    def __init__(self, stage: str, text: str | bytes) -> None:
        super().__init__(stage)
        self.stage = stage
        self.text = text


@dataclass(slots=True)
class Stages:
    """What to do around each stage.

    `stop_after` names the last stage to run; `dump` is a folder that gets each stage's output as
    `NAME.SUFFIX`; `seconds` collects the time of each.
    """

    stop_after: str | None = None
    dump: Path | None = None
    seconds: dict[str, float] = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        if self.stop_after is not None and self.stop_after not in STAGES:
            raise unknown_name("no stage", self.stop_after, STAGES, "stages")

    def run(
        self,
        stage: str,
        work: Callable[[], T],
        show: Callable[[T], str | bytes],
        suffix: str,
        is_sound: Callable[[T], bool] = lambda _: True,
    ) -> T:
        """Return what `work` gives. StageReached after the stage that was asked for.

        A result that is not sound has diagnostics, which are told instead of it.
        """
        start = time.perf_counter()
        result = work()
        passed = time.perf_counter() - start
        self.seconds[stage] = self.seconds.get(stage, 0.0) + passed
        if self.dump is not None or self.stop_after == stage:
            shown = show(result)
            if self.dump is not None:
                _write(self.dump / f"{stage}.{suffix}", shown)
            if self.stop_after == stage and is_sound(result):
                raise StageReached(stage, shown)
        return result

    def lines(self) -> list[str]:
        """Return a timing line for each stage that ran."""
        return [f"{stage:10} {1000 * passed:9.1f} ms" for stage, passed in self.seconds.items()]


def _write(path: Path, data: str | bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {path}: {reason}", "name another folder") from None
