"""Functions that a generated file carries along where its text needs them."""

from collections.abc import Mapping

SUPPORT: Mapping[str, str] = {
    "_device_of": """
def _device_of(module: nn.Module) -> torch.device:
    for tensor in (*module.parameters(), *module.buffers()):
        return tensor.device
    return torch.get_default_device()
""",
    "_fmod": '''
def _fmod(a: Tensor, b: Tensor | float) -> Tensor:
    """The rest of a division towards zero, which `torch.fmod` loses for large quotients."""
    rest, wide = a.double(), torch.as_tensor(b, device=a.device).double()
    while True:
        gap = torch.frexp(rest).exponent - torch.frexp(wide).exponent - 40
        gap = torch.where(rest.isfinite() & wide.isfinite() & (wide != 0), gap, 0).clamp(min=0)
        if not gap.any():
            return torch.fmod(rest, wide).to(a.dtype)
        rest = torch.fmod(rest, torch.ldexp(wide, gap))
''',
    "_divide": '''
def _divide(a: Tensor, b: Tensor) -> Tensor:
    """Divides whole numbers towards zero; a division by zero gives some number."""
    return _quotient(a, b)[0]
''',
    "_remainder": '''
def _remainder(a: Tensor, b: Tensor) -> Tensor:
    """The rest that `_divide` leaves."""
    return _quotient(a, b)[1]
''',
    "_quotient": """
def _quotient(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    dtype = torch.result_type(a, b)
    a, b = torch.as_tensor(a, dtype=dtype), torch.as_tensor(b, dtype=dtype)
    safe = torch.where((b == 0) | ((b == -1) & dtype.is_signed), torch.ones_like(b), b)
    quotient = torch.div(a, safe, rounding_mode="trunc")
    quotient = torch.where(b == -1, -a, quotient) if dtype.is_signed else quotient
    return quotient.to(dtype), (a - quotient * b).to(dtype)
""",
    "_write_part": '''
def _write_part(target: Tensor, value: Tensor, starts: dict[int, Tensor]) -> Tensor:
    """Writes `value` into `target`, from `starts` on along these axes and all along the others."""
    places = []
    for axis, size in enumerate(value.shape):
        place = torch.arange(size, device=target.device)
        place = place + starts[axis] if axis in starts else place
        places.append(place.reshape([-1 if n == axis else 1 for n in range(value.dim())]))
    return target.index_put_(tuple(places), value)
''',
    "_u64_order": '''
def _u64_order(x: Tensor) -> Tensor:
    """Signed numbers that are ordered as the unsigned ones with the same bits, and back."""
    return x ^ torch.iinfo(torch.int64).min
''',
    "_u64_min": """
def _u64_min(a: Tensor, b: Tensor | int) -> Tensor:
    b = torch.as_tensor(b, device=a.device)
    return torch.where(_u64_order(a) < _u64_order(b), a, b)
""",
    "_u64_max": """
def _u64_max(a: Tensor, b: Tensor | int) -> Tensor:
    b = torch.as_tensor(b, device=a.device)
    return torch.where(_u64_order(a) > _u64_order(b), a, b)
""",
    "_u64_shr": """
def _u64_shr(x: Tensor, bits: Tensor | int) -> Tensor:
    bits = torch.as_tensor(bits, device=x.device)
    kept = torch.where(bits == 0, -1, ~(torch.iinfo(torch.int64).min >> (bits - 1).clamp(min=0)))
    return (x >> bits) & kept
""",
    "_u64_div": '''
def _u64_div(a: Tensor, b: Tensor | int) -> Tensor:
    """Divides the unsigned numbers that these bits are; by zero, it gives some number."""
    a, b = torch.as_tensor(a), torch.as_tensor(b)
    safe = torch.where(b == 0, torch.ones_like(b), b)
    small = torch.where(safe < 0, torch.ones_like(safe), safe)
    near = torch.div(_u64_shr(a, 1), small, rounding_mode="trunc") << 1
    more = _u64_order(a - near * small) >= _u64_order(small)
    large = _u64_order(a) >= _u64_order(safe)
    return torch.where(safe < 0, large.long(), near + more.long())
''',
    "_u64_rem": """
def _u64_rem(a: Tensor, b: Tensor | int) -> Tensor:
    return a - _u64_div(a, b) * b
""",
    "_to_unsigned": '''
def _to_unsigned(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Floats to unsigned whole numbers, towards zero."""
    if dtype != torch.uint64:
        return x.to(torch.int64).to(dtype)
    half = 2.0**63
    wide = x.double()
    low = wide.clamp(max=half - 1024).long()
    high = (wide - half).clamp(min=0).long() ^ torch.iinfo(torch.int64).min
    return torch.where(wide < half, low, high).to(dtype)
''',
}
# What each of them calls.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "_divide": ("_quotient",),
    "_remainder": ("_quotient",),
    "_u64_min": ("_u64_order",),
    "_u64_max": ("_u64_order",),
    "_u64_div": ("_u64_shr", "_u64_order"),
    "_u64_rem": ("_u64_div", "_u64_shr", "_u64_order"),
}


def support_for(text: str) -> list[str]:
    """The functions that a text calls, and those that they call, each before its callers."""
    wanted = {name for name in SUPPORT if f"{name}(" in text}
    for name in list(wanted):
        wanted |= set(NEEDS.get(name, ()))
    order = ["_u64_order", "_u64_shr", "_u64_div", "_quotient", *SUPPORT]
    return [SUPPORT[name].strip("\n") for name in dict.fromkeys(order) if name in wanted]
