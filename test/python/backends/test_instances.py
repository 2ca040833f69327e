"""XLA and IREE keep the promises of `Instance` on a program with two states."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from linnet.backends import Instance, Module
from linnet.backends.iree import IreeInstance, compile_entries
from linnet.backends.iree._device import Loaded
from linnet.backends.xla import XlaInstance, compile_entry
from linnet.errors import BackendError

WEIGHTS = {"w": np.array([2.0, 3.0], np.float32)}
Make = Callable[[list[Module]], Instance]


def on_xla(modules: list[Module]) -> Instance:
    instance = XlaInstance(WEIGHTS)
    for module in modules:
        code = compile_entry(module, isolated=False)
        instance.add(module.function, module.signature, code)
    return instance


def on_iree(modules: list[Module]) -> Instance:
    instance = IreeInstance(WEIGHTS)
    instance.add({m.function: m.signature for m in modules}, compile_entries(modules))
    return instance


def on_two_iree_modules(modules: list[Module]) -> Instance:
    instance = IreeInstance(WEIGHTS)
    for module in modules:
        instance.add({module.function: module.signature}, compile_entries([module]))
    return instance


@pytest.fixture(scope="module", params=[on_xla, on_iree, on_two_iree_modules])
def fresh(request: pytest.FixtureRequest, counter: list[Module]) -> Instance:
    make: Make = request.param
    return make(counter)


def x(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def i32(value: int) -> np.ndarray:
    return np.array(value, np.int32)


def test_states_start_at_zeros_and_keep_their_latest_value(fresh: Instance):
    model = fresh.session()
    assert model.get_state("rows").tolist() == [[0, 0]] * 3
    total, first = model.call("step", [x(1, 1), i32(0)])
    assert total.tolist() == [2, 3]
    assert first.dtype == np.bool_
    assert bool(first)
    total, first = model.call("step", [x(10, 10), i32(2)])
    assert total.tolist() == [22, 33]
    assert not first
    assert model.call("peek", [])[0] == 2
    assert model.get_state("rows").tolist() == [[2, 3], [0, 0], [20, 30]]
    assert model.get_state("count") == 2


def test_a_state_read_is_a_copy(fresh: Instance):
    model = fresh.session()
    before = model.get_state("rows")
    model.call("step", [x(1, 1), i32(0)])
    assert before.tolist() == [[0, 0]] * 3


def test_a_cleared_state_is_zeros_and_the_others_stay(fresh: Instance):
    model = fresh.session()
    for _ in range(2):
        model.call("step", [x(1, 1), i32(1)])
        model.clear_state("rows")
        assert model.get_state("rows").tolist() == [[0, 0]] * 3
        assert model.get_state("count") == 1
        model.set_state("rows", np.ones((3, 2), np.float32))
        model.clear_state("rows")
        model.clear_state("count")
        assert model.get_state("rows").tolist() == [[0, 0]] * 3
        assert model.get_state("count") == 0


def test_code_without_functions_that_clear_gets_zeros(
    counter: list[Module], monkeypatch: pytest.MonkeyPatch
):
    """As an earlier version compiled it."""
    monkeypatch.setattr(Loaded, "run", lambda *_: False)
    model = on_iree(counter)
    model.call("step", [x(1, 1), i32(1)])
    model.clear_state("rows")
    assert model.get_state("rows").tolist() == [[0, 0]] * 3
    assert model.get_state("count") == 1


def test_a_state_can_be_set_and_the_given_array_stays_the_callers(fresh: Instance):
    model = fresh.session()
    mine = np.ones((3, 2), np.float32)
    model.set_state("rows", mine)
    model.set_state("count", i32(41))
    total, _ = model.call("step", [x(0, 0), i32(1)])
    assert total.tolist() == [2, 2]
    assert mine.tolist() == [[1, 1]] * 3
    assert model.get_state("count") == 42


def test_sessions_share_no_state(fresh: Instance):
    one, two = fresh.session(), fresh.session()
    one.call("step", [x(1, 1), i32(0)])
    assert two.get_state("count") == 0
    assert two.call("peek", [])[0] == 0
    assert one.call("peek", [])[0] == 1


def test_a_module_that_xla_refuses_leaves_a_reproducer(
    counter: list[Module], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    step = counter[0]
    broken = Module("step", step.signature, step.portable[:40])
    with pytest.raises(BackendError) as caught:
        compile_entry(broken)
    assert caught.value.reproducer is not None
    assert (caught.value.reproducer / "module.mlirbc").read_bytes() == step.portable[:40]
    assert caught.value.exit_status == 3
