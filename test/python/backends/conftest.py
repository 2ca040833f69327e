"""A counter with a weight and two states, as hand-written StableHLO."""

import pytest
from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import stablehlo

from linnet.backends import Module
from linnet.signature import Member, Signature, Value

STEP = """
func.func public @main(%x: tensor<2xf32>, %at: tensor<i32>, %w: tensor<2xf32>,
    %s: tensor<3x2xf32>, %n: tensor<i32>)
    -> (tensor<2xf32>, tensor<i1>, tensor<3x2xf32>, tensor<i32>) {
  %y = stablehlo.multiply %x, %w : tensor<2xf32>
  %row = stablehlo.reshape %y : (tensor<2xf32>) -> tensor<1x2xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %new = stablehlo.dynamic_update_slice %s, %row, %at, %zero
      : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  %f0 = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%new init: %f0) applies stablehlo.add across dimensions = [0]
      : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  %more = stablehlo.add %n, %one : tensor<i32>
  %first = stablehlo.compare EQ, %more, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %sum, %first, %new, %more : tensor<2xf32>, tensor<i1>, tensor<3x2xf32>, tensor<i32>
}
"""
PEEK = """
func.func public @main(%w: tensor<2xf32>, %s: tensor<3x2xf32>, %n: tensor<i32>)
    -> (tensor<i32>, tensor<3x2xf32>, tensor<i32>) {
  return %n, %s, %n : tensor<i32>, tensor<3x2xf32>, tensor<i32>
}
"""
PARAMS = (Member("w", "param", "f32", (2,)),)
STATES = (Member("rows", "state", "f32", (3, 2)), Member("count", "state", "i32", ()))


def portable(text: str) -> bytes:
    context = ir.Context()
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    with context:
        module = ir.Module.parse(text)
        version = stablehlo.get_minimum_version()
        return stablehlo.serialize_portable_artifact_str(str(module), version)


@pytest.fixture(scope="session")
def counter() -> list[Module]:
    step = Signature(
        "step",
        "m::Counter",
        {},
        {},
        (Value("x", "f32", (2,)), Value("at", "i32", ())),
        PARAMS,
        STATES,
        (Value("result.0", "f32", (2,)), Value("result.1", "bool", ())),
    )
    peek = Signature(
        "peek", "m::Counter", {}, {}, (), PARAMS, STATES, (Value("result", "i32", ()),)
    )
    return [Module("step", step, portable(STEP)), Module("peek", peek, portable(PEEK))]
