"""The module as a PyTorch user has it: names, gradients, compilation, and what is refused."""

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linnet.backends.torch import build, torch_source
from linnet.errors import CapabilityError, UsageError

from ._examples import EXAMPLES, weights_of

torch = pytest.importorskip("torch")

from ._small import Small, normal  # noqa: E402

# All in f64, attention in few words among it.
TINY = """use std.nn.linear::{Linear}
pub block Half<N: Dim> {
    sub inner: Linear<N, N, f64>
    pub fn forward<S: Dim>(x: Tensor[S, N; f64]) -> Tensor[S, N; f64] {
        return x + tanh(inner.forward(x))
    }
}
pub block Model<N: Dim> where N > 0 {
    param table: Tensor[7, N; f64]
    sub halves: [Half<N>; 2]
    pub entry forward<S: Dim>(tokens: Tensor[S; i32]) -> Tensor[S, 7; f64] where S > 0 {
        let rows[s, n] = table[tokens[s], n]
        var x = rows
        static for half in halves { x = half.forward(x) }
        let scores[q, k] = sum[n] x[q, n] * x[k, n] / N
        let raised[q, k] = exp(scores[q, k] - max[j] scores[q, j])
        let mixed[q, n] = sum[k] raised[q, k] / (sum[j] raised[q, j]) * x[k, n]
        let logits[s, v] = sum[n] mixed[s, n] * table[v, n]
        return logits
    }
}"""


def tiny(folder: Path, compile: Any = None) -> Small:
    shapes = {"table": (7, 4), "halves.0.inner.weight": (4, 4), "halves.1.inner.weight": (4, 4)}
    weights = {
        path: normal(*shape, seed=seed, dtype=np.float64)
        for seed, (path, shape) in enumerate(shapes.items())
    }
    return Small(TINY, folder, "exact", weights, compile, N=4)


def test_gradients_agree_with_finite_differences(tmp_path: Path) -> None:
    module: Any = tiny(tmp_path).model.native
    tokens = torch.tensor([3, 1, 4, 1, 5], dtype=torch.int32)
    goal = torch.tensor([1, 4, 1, 5, 2])

    def loss() -> Any:
        return torch.nn.functional.cross_entropy(module(tokens), goal)

    loss().backward()
    step = 1e-6
    for parameter in module.parameters():
        for place in (0, parameter.numel() // 2, parameter.numel() - 1):
            flat = parameter.detach().view(-1)
            before = flat[place].item()
            sides: list[float] = []
            for moved in (before + step, before - step):
                flat[place] = moved
                with torch.no_grad():
                    sides.append(loss().item())
            flat[place] = before
            slope = (sides[0] - sides[1]) / (2 * step)
            assert parameter.grad.view(-1)[place].item() == pytest.approx(slope, abs=1e-8)


def test_open_sizes_are_served_at_any_size(tmp_path: Path) -> None:
    small = tiny(tmp_path)
    for size in (1, 2, 9):
        small.agrees("forward", np.arange(size, dtype=np.int32) % 7, atol=1e-13)


def test_inductor_gives_the_same(tmp_path: Path) -> None:
    small = tiny(tmp_path, "inductor")
    for size in (3, 5, 8):
        small.agrees("forward", np.arange(size, dtype=np.int32) % 7, atol=1e-13)


def test_parameters_have_their_paths(tmp_path: Path) -> None:
    names = list(tiny(tmp_path).model.native.state_dict())
    assert names == ["table", "halves.0.inner.weight", "halves.1.inner.weight"]


def test_bindings_that_form_a_tree_name_the_members() -> None:
    core = next(each for each in EXAMPLES if each.name == "vit").core(keep=True)
    paths = [m.path for f in core.functions.values() for m in f.signature.params]
    bound = {path: path.replace("layers", "layer").replace("patches", "embed") for path in paths}
    source = torch_source(core, "equivalent", bound=bound)
    module = _module(source.text, source.root)
    assert set(module.state_dict()) == set(bound.values())
    assert "load_checkpoint" not in source.text


def test_other_bindings_become_a_table(tmp_path: Path) -> None:
    example = next(each for each in EXAMPLES if each.name == "gpt2")
    core = example.core(keep=True)
    weights = weights_of(core)
    bound = {path: path.replace("blocks", "h") for path in weights}
    bound |= {"wte": "wte.weight", "wpe": "wpe.weight"}
    source = torch_source(core, "equivalent", bound=bound)
    space: dict[str, Any] = {}
    exec(compile(source.text, "model", "exec"), space)
    module = space[source.root]()
    space["load_checkpoint"](module, {bound[p]: torch.tensor(w) for p, w in weights.items()})
    for path, tensor in module.state_dict().items():
        np.testing.assert_array_equal(tensor.numpy(), weights[path])


def _module(text: str, root: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "model", "exec"), space)
    return space[root]()


def test_members_that_modules_have_get_other_names(tmp_path: Path) -> None:
    text = """pub block Model {
    param half: Tensor[2; f32]
    state training: Tensor[2; f32]
    pub entry train(x: Tensor[2; f32]) -> Tensor[2; f32] {
        training = training + x
        return half * training
    }
}"""
    small = Small(text, tmp_path, weights={"half": normal(2)})
    small.agrees("train", normal(2, seed=1))
    small.agrees("train", normal(2, seed=2))
    assert list(small.model.native.state_dict()) == ["half_"]


def test_scalars_may_be_python_numbers(tmp_path: Path) -> None:
    text = "pub entry scaled(x: Tensor[2; f32], by: f32) -> Tensor[2; f32] { return x * by }"
    small = Small(text, tmp_path)
    module: Any = small.model.native
    assert module.scaled(torch.ones(2), 3).tolist() == [3.0, 3.0]


def test_what_cannot_be_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = EXAMPLES[0]
    checked, request = example.checked(), example.request()
    numerics: Any = "sloppy"
    with pytest.raises(UsageError, match="no numerics `sloppy`"):
        build(checked, request, {}, numerics=numerics)
    way: Any = "magic"
    with pytest.raises(UsageError, match="no way to compile `magic`"):
        build(checked, request, {}, compile=way)
    if not torch.cuda.is_available():
        weights = weights_of(example.core(keep=False))
        with pytest.raises(CapabilityError, match="CUDA graphs need a CUDA device"):
            build(checked, request, weights, compile="cudagraphs")
        with pytest.raises(CapabilityError, match="no CUDA device"):
            build(checked, request, weights, device="cuda")
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "torch" else found(name)
    )
    with pytest.raises(CapabilityError, match=r"pip install 'linnet-mlir\[torch\]'"):
        build(checked, request, {})


def test_what_a_loop_reads_several_times_is_computed_before_it(tmp_path: Path) -> None:
    text = """pub entry run(x: Tensor[3; i32], up: bool) -> (Tensor[3; i32], Tensor[4, 3; i32]) {
    let twice = x + x
    var y = twice * 3
    let rows = for i in 0..4 {
        y = if up { y + twice } else { if !up { y - twice } else { twice } }
        yield if up { y } else { y + x }
    }
    return (y, rows)
}"""
    small = Small(text, tmp_path)
    for up in (True, False):
        small.agrees("run", np.array([3, -1, 4], np.int32), np.asarray(up))


def test_numbers_are_cast_as_tensors_are(tmp_path: Path) -> None:
    text = """pub entry run() -> (i32, i32, f32) {
    let part = cast<f32>(11) / 4.0
    return (cast<i32>(part), cast<i32>(-part), cast<f32>(cast<i32>(part)))
}"""
    Small(text, tmp_path).agrees("run")
