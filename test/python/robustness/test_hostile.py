"""Hostile programs: a diagnostic or success, within ten seconds, never a traceback.

`LINNET_ROBUSTNESS=all` runs every command on each, which takes some ten minutes.
"""

import os
from pathlib import Path

import pytest

from robustness._hostile import DEEP, HUGE, LONG, MANY, ODD
from robustness._limits import commands, linnet

ALL = os.environ.get("LINNET_ROBUSTNESS") == "all"
CASES: dict[str, bytes] = {
    **{
        f"{kind}-{name}": text.encode()
        for kind, group in (("deep", DEEP), ("long", LONG), ("many", MANY), ("huge", HUGE))
        for name, text in group.items()
    },
    **{f"odd-{name}": data for name, data in ODD.items()},
}


# What takes a moment is checked several at a time, which only makes the limit tighter.
SMALL = [name for name in CASES if name.startswith(("deep-", "odd-"))]
BATCHES = [SMALL[at : at + 6] for at in range(0, len(SMALL), 6)]
BATCHES += [[name] for name in CASES if name not in SMALL]
if ALL:
    BATCHES = [[name] for name in CASES]


@pytest.mark.parametrize("names", BATCHES, ids=lambda names: names[0])
def test_hostile_programs_are_judged_in_time(names: list[str], tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.linnet" for name in names]
    for path, name in zip(paths, names, strict=True):
        path.write_bytes(CASES[name])
    ran = linnet("check", *paths, cwd=tmp_path)
    if ran.status:
        first = ran.err.splitlines()[0]
        assert first.startswith(("error[", "warning[")), ran.err[:500]
    assert len(ran.out) + len(ran.err) < 2_000_000
    # The other commands all with the switch, and else one of them on every fourth batch.
    others = commands(paths[0])[1:]
    turn = BATCHES.index(names)
    if not ALL:
        others = [others[turn % len(others)]] if turn % 4 == 0 else []
    for command in others:
        linnet(*command, cwd=tmp_path)


def test_thousands_of_problems_are_counted_and_the_first_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "many.linnet"
    path.write_text(MANY["wrong_functions"], encoding="utf-8")
    ran = linnet("check", path, cwd=tmp_path)
    assert ran.status == 1
    assert ran.err.count("error[E1201]") == 200
    assert "the first 200 are shown; --json prints the other 4,800 too" in ran.err
    assert "5000 errors" in ran.err or "5,000 errors" in ran.err
