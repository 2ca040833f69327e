"""The estimate from CORE: what is fused takes nothing, the rest lives until its last use."""

from linnet.core import Function, Op, Region, TensorType, Value
from linnet.memory._liveness import estimate
from linnet.signature import Member, Signature
from linnet.signature import Value as Port

ROW = TensorType("f32", (1000,))
BYTES = 4000


class Body:
    """Ops over one input `x` and one state `s`, both a row of f32."""

    def __init__(self) -> None:
        self.x, self.s = Value(ROW), Value(ROW)
        self.ops: list[Op] = []

    def op(self, name: str, *operands: Value, type_: TensorType = ROW, **attributes: int) -> Value:
        result = Value(type_)
        self.ops.append(Op(name, operands, (result,), attributes))
        return result

    def bytes(self, *results: Value) -> int:
        self.ops.append(Op("return", results, (), {}))
        ports = (Port("x", "f32", (1000,)),)
        state = (Member("s", "state", "f32", (1000,)),)
        signature = Signature("e", None, {}, {}, ports, (), state, ())
        return estimate(Function(signature, Region((self.x, self.s), tuple(self.ops))))


def test_a_chain_of_elementwise_ops_takes_its_result_alone() -> None:
    body = Body()
    y = body.op("exp", body.op("neg", body.op("add", body.x, body.x)))
    assert body.bytes(body.op("concat", y, axis=0)) == BYTES


def test_what_is_used_twice_is_kept() -> None:
    body = Body()
    y = body.op("exp", body.x)
    assert body.bytes(body.op("concat", body.op("neg", y), y, axis=0)) == 2 * BYTES


def test_what_is_dead_is_not_counted() -> None:
    body = Body()
    value = body.x
    for _ in range(5):
        value = body.op("concat", value, axis=0)
    assert body.bytes(value) == 2 * BYTES


def test_a_view_keeps_alive_what_it_shows() -> None:
    body = Body()
    first = body.op("concat", body.x, axis=0)
    view = body.op("slice", first)
    second = body.op("concat", body.x, axis=0)
    assert body.bytes(body.op("concat", view, second, axis=0)) == 3 * BYTES


def test_a_state_is_written_in_place() -> None:
    body = Body()
    one = TensorType("f32", (1,))
    start = body.op("constant", type_=TensorType("i32", ()), literal=0)
    new = body.op("concat", body.x, type_=one, axis=0)
    assert body.bytes(body.op("update_slice", body.s, new, start)) == 4
