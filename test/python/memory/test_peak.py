"""The peak that is told against that of a process that loads the artifact and runs the entry."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from linnet.cli._main import run
from linnet.memory import Memory, artifact_memory

pytestmark = pytest.mark.slow

# Of the measured peak. The process itself is measured in another one, where it differs by a MiB.
TOLERANCE = 0.05
WIDE, LAYERS, ROWS, PLACES = 1024, 4, 2048, 1024

PROGRAM = """\
module wide

use std.nn.linear::{linear}

block Layer<N: Dim, Places: Dim, T: Float> {
    param up: Tensor[4 * N, N; T]
    param down: Tensor[N, 4 * N; T]
    state seen: Tensor[Places, N; T]

    pub fn apply<S: Dim>(x: Tensor[S, N; T]) -> Tensor[S, N; T] {
        return linear(relu(linear(x, up)), down)
    }

    pub fn step(x: Tensor[1, N; T], pos: i32) -> Tensor[1, N; T] {
        let y = apply<1>(x)
        seen = write_row(seen, y, pos)
        let total[n] = sum[p] seen[p, n]
        return y + reshape(total, [1, N])
    }
}

fn relu<*S: Shape, T: Float>(x: Tensor[*S; T]) -> Tensor[*S; T] {
    let zero = cast<T>(0.0)
    return max(x, zero)
}

fn write_row<P: Dim, N: Dim, T: Float>(
    rows: Tensor[P, N; T],
    row: Tensor[1, N; T],
    pos: i32,
) -> Tensor[P, N; T] {
    let place[p] = iota<i32>(P)[p] == pos
    let written[p, n] = if place[p] { row[0, n] } else { rows[p, n] }
    return written
}

pub block Model<N: Dim, Layers: Dim, Places: Dim, T: Float = f32> {
    sub layers: [Layer<N, Places, T>; Layers]

    pub entry forward<S: Dim>(x: Tensor[S, N; T]) -> Tensor[S, N; T] {
        var y = x
        static for layer in layers {
            y = layer.apply<S>(y)
        }
        return y
    }

    pub entry step(x: Tensor[1, N; T], pos: i32) -> Tensor[1, N; T] {
        var y = x
        static for layer in layers {
            y = layer.step(y, pos)
        }
        return y
    }
}
"""

CHILD = """\
import sys
import numpy as np
import linnet
from linnet.measure import peak_bytes

artifact, weights, entry, rows, wide = sys.argv[1:]
model = linnet.load(artifact, weights)
x = np.ones((int(rows), int(wide)), np.float32)
given = {"x": x, "pos": np.int32(3)} if entry == "step" else {"x": x}
for _ in range(3):
    model.call(entry, given)
print(peak_bytes())
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The artifact, and weights of 128 MiB."""
    pytest.importorskip("iree.runtime")
    folder = tmp_path_factory.mktemp("wide")
    source, artifact = folder / "wide.linnet", folder / "wide.lna"
    source.write_text(PROGRAM, "utf-8")
    sizes = (f"N={WIDE}", f"Layers={LAYERS}", f"Places={PLACES}", f"forward.S={ROWS}")
    binds = [word for size in sizes for word in ("--bind", size)]
    assert run(["compile", str(source), "--root", "Model", *binds, "-o", str(artifact)]) == 0
    draw = np.random.default_rng(0)
    tensors = {
        f"layers.{i}.{name}": draw.standard_normal(shape, np.float32) / 64
        for i in range(LAYERS)
        for name, shape in (("up", (4 * WIDE, WIDE)), ("down", (WIDE, 4 * WIDE)))
    }
    save_file(tensors, folder / "wide.safetensors")
    return artifact, folder / "wide.safetensors"


@pytest.fixture(scope="module")
def told(built: tuple[Path, Path]) -> Memory:
    return artifact_memory(built[0], "cpu", ())


@pytest.mark.parametrize(("entry", "rows"), [("forward", ROWS), ("step", 1)])
def test_the_peak_is_that_of_a_process_that_runs_the_entry(
    built: tuple[Path, Path], told: Memory, entry: str, rows: int
) -> None:
    artifact, weights = built
    done = subprocess.run(
        [sys.executable, "-c", CHILD, artifact, weights, entry, str(rows), str(WIDE)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    measured = int(done.stdout)
    (record,) = [each for each in told.entries if each.entry == entry]
    assert record.peak is not None
    assert record.peak.bytes == pytest.approx(measured, rel=TOLERANCE)
