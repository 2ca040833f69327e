"""`linnet-simplify` keeps the value of random CORE functions."""

from hypothesis import HealthCheck, given, settings

from linnet import reference
from lower._core_programs import Case, cases
from lower._stages import SIMPLIFIED, parse
from lower.test_differential import same


@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=1000,
    suppress_health_check=list(HealthCheck),
)
@given(cases())
def test_a_function_keeps_its_value(case: Case) -> None:
    module = parse(case.text)
    before, after = module.core("canonicalize"), module.core(*SIMPLIFIED)
    same(
        reference.run(after, "run", case.arguments),
        reference.run(before, "run", case.arguments),
    )
