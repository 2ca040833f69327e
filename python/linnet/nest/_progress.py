"""A bar for each file that is fetched: on a terminal, and nowhere else."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self


class Quiet:
    """What huggingface-hub tells of its progress (the part of tqdm that it calls), unheard."""

    def __init__(self, **_: Any) -> None: ...

    def update(self, size: float | None = 1) -> None:
        """Take note of some more bytes."""

    def close(self) -> None:
        """End."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def bars(name: str) -> Generator[type[Quiet]]:
    """Within, give the class of bars for a file of this name: drawn if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield Quiet
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:

        class Bar(Quiet):
            """One bar of rich's."""

            def __init__(self, total: float | None = None, initial: float = 0, **_: Any) -> None:
                self._task = progress.add_task(name, total=total, completed=int(initial))

            def update(self, size: float | None = 1) -> None:
                progress.update(self._task, advance=size or 0)

        yield Bar
