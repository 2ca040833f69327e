"""A small artifact made of CORE records: no source text and no dialect are needed to test."""

from pathlib import Path

from linnet.artifact import write_artifact
from linnet.backends import Module
from linnet.core import CoreModule, Function, Op, Region, TensorType, Value
from linnet.runtime._instances import compile_variant
from linnet.signature import Member, Signature
from linnet.signature import Value as Port
from linnet.stablehlo import build

VOCAB = 8


class Builder:
    """Appends ops to one function."""

    def __init__(self, *arguments: tuple[str, tuple[int, ...]]) -> None:
        self.arguments = tuple(Value(TensorType(*each)) for each in arguments)
        self.ops: list[Op] = []

    def op(self, name, dtype, shape, *operands, **attributes) -> Value:
        result = Value(TensorType(dtype, shape))
        self.ops.append(Op(name, operands, (result,), attributes))
        return result

    def close(self, signature: Signature, *results: Value) -> Function:
        self.ops.append(Op("return", results, (), {}))
        return Function(signature, Region(self.arguments, tuple(self.ops)))


PARAMS = (Member("scale", "param", "f32", ()),)
STATES = (Member("seen", "state", "i32", ()), Member("last", "state", "i32", (1,)))
MEMBERS = (("f32", ()), ("i32", ()), ("i32", (1,)))


def step(name: str, count: int) -> Function:
    """Return an entry whose likeliest token is (last token + all tokens seen) mod VOCAB.

    `prefill<S>(tokens: [1, S], pos)` and `decode(token: [1, 1], pos)`: `seen` counts tokens, so
    that a state that is lost, kept too long or shared shows in the tokens.
    """
    generics = {"S": count} if name == "prefill" else {}
    ports = (
        Port("tokens" if name == "prefill" else "token", "i32", (1, count)),
        Port("pos", "i32", ()),
    )
    results = (Port("result", "f32", (1, VOCAB)),)
    bindings = {"MaxSeq": 16}
    signature = Signature(name, "m::Toy", generics, bindings, ports, PARAMS, STATES, results)
    b = Builder(("i32", (1, count)), ("i32", ()), *MEMBERS)
    tokens, _, scale, seen, _ = b.arguments
    more = b.op("add", "i32", (), seen, b.op("constant", "i32", (), literal=count))
    last = b.op("slice", "i32", (1, 1), tokens, starts=(0, count - 1), steps=(1, 1))
    last = b.op("reshape", "i32", (1,), last)
    wide = b.op("add", "i32", (1,), last, b.op("splat", "i32", (1,), more))
    vocab = b.op("constant", "i32", (1,), literal=VOCAB)
    wanted = b.op("rem", "i32", (1,), wide, vocab)
    wanted = b.op("broadcast", "i32", (1, VOCAB), wanted, axes=(0,))
    ids = b.op("iota", "i32", (1, VOCAB), axis=1)
    hit = b.op("compare", "bool", (1, VOCAB), ids, wanted, predicate="eq")
    hit = b.op("cast", "f32", (1, VOCAB), hit)
    logits = b.op("mul", "f32", (1, VOCAB), hit, b.op("splat", "f32", (1, VOCAB), scale))
    return b.close(signature, logits, more, last)


def expected(prompt: list[int], count: int) -> list[int]:
    """Return the tokens that `generate` must give."""
    tokens = list(prompt)
    for _ in range(count):
        tokens.append((tokens[-1] + len(tokens)) % VOCAB)
    return tokens[len(prompt) :]


def write_toy(folder: Path) -> Path:
    """Write `toy.lna`, with `prefill` at S = 4 and S = 2 and `decode`, for both targets."""
    (folder / "toy.linnet").write_text("module toy\n")
    modules: list[Module] = []
    for function, entry in (
        ("prefill.4", step("prefill", 4)),
        ("prefill.2", step("prefill", 2)),
        ("decode", step("decode", 1)),
    ):
        core = CoreModule({entry.signature.entry: entry})
        portable = build(core, {"main": entry.signature.entry}).portable()
        modules.append(Module(function, entry.signature, portable))
    drafts = [compile_variant(target, modules) for target in ("cpu", "xla-cpu")]
    write_artifact(folder / "toy.lna", folder / "toy.linnet", modules, drafts, "0.1.0")
    return folder / "toy.lna"
