"""`verify_obligations`: the records that `linnet-verify` gives to Python."""

from linnet.mlir import ir
from linnet.mlir.dialects import linnet

RESHAPE = """
linnet.func fn @"m::heads"<S: Dim, H: Dim, N: Dim>(%x: !linnet.tensor<[S, H], f32>)
    -> !linnet.tensor<[S, N, H / N], f32> where ["N > 0"] {
  %y = linnet.reshape %x {linnet.claim = 7 : i64}
      : !linnet.tensor<[S, H], f32> -> !linnet.tensor<[S, N, H / N], f32> loc(#here)
  linnet.return %y : !linnet.tensor<[S, N, H / N], f32>
}
#here = loc("heads.linnet":3:12 to :40)
"""


def failures_of(text: str) -> list[linnet.Failure]:
    with ir.Context():
        return linnet.verify_obligations(ir.Module.parse(text))


def test_a_refuted_claim_has_a_witness_and_what_settles_it() -> None:
    (failure,) = failures_of(RESHAPE)
    assert failure.code == "E2203"
    assert failure.claim_id == 7
    assert failure.index == 0
    assert failure.claim == "H * S == N * S * (H / N)"
    assert failure.status == "refuted"
    assert failure.settles == "H % N == 0"
    assert failure.witness is not None
    sizes = failure.witness
    assert sizes["N"] > 0
    assert sizes["S"] * sizes["H"] != sizes["S"] * sizes["N"] * (sizes["H"] // sizes["N"])


def test_a_failure_knows_its_place_in_the_source() -> None:
    (failure,) = failures_of(RESHAPE)
    assert failure.location == ("heads.linnet", 3, 12, 3, 40)


def test_a_proven_module_has_no_failures() -> None:
    assert failures_of(RESHAPE.replace('["N > 0"]', '["N > 0", "H % N == 0"]')) == []


def test_an_op_without_a_claim_id_or_file_says_none() -> None:
    (failure,) = failures_of("""
linnet.func fn @"m::f"<N: Dim>() {
  linnet.require "N > 0" code "E2205"
  linnet.return
}""")
    assert failure.claim_id is None
    assert failure.witness == {"N": 0}


def test_a_claim_that_reads_like_a_fact_needs_no_positive_divisor() -> None:
    """[DIM-9]: the callee's fact is the caller's, divisors included (end of 5.3)."""
    text = """
linnet.func fn @"m::split"<H: Dim, N: Dim>(
    %x: !linnet.tensor<[H], f32>, %y: !linnet.tensor<[N], f32>)
    -> !linnet.tensor<[H], f32> where ["H % N == 0"] {
  linnet.return %x : !linnet.tensor<[H], f32>
}
linnet.func fn @"m::caller"<A: Dim, B: Dim>(
    %x: !linnet.tensor<[A], f32>, %y: !linnet.tensor<[B], f32>)
    -> !linnet.tensor<[A], f32> where ["0 == A % B"] {
  %z = linnet.call @"m::split"<A, B>(%x, %y)
      : (!linnet.tensor<[A], f32>, !linnet.tensor<[B], f32>) -> !linnet.tensor<[A], f32>
  linnet.return %z : !linnet.tensor<[A], f32>
}
"""
    assert failures_of(text) == []


def test_a_failure_tells_other_ways_to_settle_it() -> None:
    text = """
linnet.func fn @"m::f"<A: Dim, B: Dim, K: Dim>() {
  linnet.require "A * B > 0" code "E2206"
  linnet.require "min(A, K) * 2 / 2 == K" code "E2206"
  linnet.return
}
"""
    product, least = failures_of(text)
    assert product.settles == "A > 0, B > 0"
    assert product.alternatives == ["A * B > 0"]
    assert least.settles == "K <= A"
    assert not least.is_cut_short


def test_one_refused_divisor_silences_what_rests_on_it_alone() -> None:
    text = """
linnet.func fn @"m::f"<H: Dim, N: Dim, M: Dim>() where ["H % N == 0"] {
  linnet.require "N > 0" code "E2205"
  linnet.require "N > 0" code "E2205"
  linnet.require "N * (H / N) == H" code "E2203"
  linnet.require "M * (H / M) == H" code "E2203"
  linnet.return
}
"""
    failures = failures_of(text)
    assert [failure.claim for failure in failures] == ["N > 0", "N > 0", "M * (H / M) == H"]
