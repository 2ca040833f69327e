"""What is read from IREE's stream level, and that a compiled module has it."""

import pytest

from linnet.backends.iree._memory import read_plan

STREAM = """\
module @linnet {
  util.initializer {
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %r, %t = stream.resource.alloca uninitialized on(#d) : !stream.resource<constant>{%c64} => !stream.timepoint
    %r_1, %t_1 = stream.resource.alloca uninitialized on(#d) : !stream.resource<transient>{%c32} => !stream.timepoint
    util.return
  }
  util.func private @inner(%arg0: index) {
    %c8 = arith.constant 8 : index
    %r, %t = stream.resource.alloca uninitialized on(#d) : !stream.resource<transient>{%c8} => !stream.timepoint
    util.return
  }
  util.func public @call.0(%arg0: !hal.buffer_view) {
    %c100 = arith.constant 100 : index
    %c7 = arith.constant 7 : index
    %r, %t = stream.resource.alloca uninitialized on(#d) : !stream.resource<external>{%c7} => !stream.timepoint
    %r_2, %t_2 = stream.resource.alloca uninitialized on(#d) await(%t) => !stream.resource<transient>{%c100} => !stream.timepoint
    %5 = stream.resource.dealloca on(#d) await(%t_2) => %r_2 : !stream.resource<transient>{%c100} => !stream.timepoint
    util.call @inner(%c7) : (index) -> ()
    %r_3, %t_3 = stream.resource.alloca uninitialized on(#d) await(%t) => !stream.resource<transient>{%c7} => !stream.timepoint
    util.return
  }
  util.func public @call.1(%arg0: !hal.buffer_view) {
    %s = arith.muli %arg0, %arg0 : index
    %r, %t = stream.resource.alloca uninitialized on(#d) : !stream.resource<transient>{%s} => !stream.timepoint
    util.return
  }
  util.func public @set.0(%arg0: !hal.buffer_view) {
    %c9 = arith.constant 9 : index
    %r, %t = stream.resource.alloca uninitialized on(#d) : !stream.resource<variable>{%c9} => !stream.timepoint
    util.return
  }
}
"""  # noqa: E501


def test_the_most_that_is_alive_is_read_by_function() -> None:
    plan = read_plan(STREAM)
    assert (plan.constants, plan.loading) == (64, 32)
    assert plan.calls["call.0"] == 107


def test_a_size_of_the_call_is_not_guessed() -> None:
    assert read_plan(STREAM).calls["call.1"] is None


def test_a_new_value_of_a_state_lies_beside_the_old_one() -> None:
    assert read_plan(STREAM).calls["set.0"] == 9


def test_what_a_called_function_holds_is_counted() -> None:
    assert read_plan(STREAM.replace("{%c100}", "{%c7}")).calls["call.0"] == 15


@pytest.mark.slow
def test_the_compiler_still_writes_what_is_read(tmp_path) -> None:
    pytest.importorskip("iree.compiler")
    from linnet.memory import Asked, ProgramMemory

    path = tmp_path / "m.linnet"
    path.write_text(
        "module m\n\npub entry f<N: Dim>(x: Tensor[N, N; f32]) -> Tensor[N, N; f32] {\n"
        "    let a[i, j] = sum[k] x[i, k] * x[k, j]\n"
        "    let b[i, j] = sum[k] a[i, k] * a[j, k]\n"
        "    return b\n}\n",
        "utf-8",
    )
    memory = ProgramMemory(path, None, Asked(None, (), "absent", "cpu", True)).at({"N": 256})
    (entry,) = memory.entries
    # `a`, the result and its copy, the input twice; packed copies of `a` or `x` at the most.
    assert entry.temporaries is not None
    assert 5 <= (entry.temporaries.bytes or 0) / (256 * 256 * 4) <= 9
    assert entry.temporaries.how == "exact"
