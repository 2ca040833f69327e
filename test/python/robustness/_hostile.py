"""Programs that nobody would write, by name: deep, long, wide, huge and odd ones."""

from collections.abc import Callable, Iterable

N = 100_000
_HEAD = "module m\n"


def _body(text: str) -> str:
    return f"{_HEAD}\nfn f(x: f32) -> f32 {{\n    {text}\n}}\n"


def _dims(text: str) -> str:
    return f"{_HEAD}\nfn f<N: Dim>(x: Tensor[{text}; f32]) -> f32 {{\n    return 0.0\n}}\n"


def _type(text: str) -> str:
    return f"{_HEAD}\nfn f(x: {text}) -> f32 {{\n    return 0.0\n}}\n"


def _each(make: Callable[[int], str], count: int) -> str:
    return "".join(make(i) for i in range(count))


def _generics(names: Iterable[str]) -> str:
    return ", ".join(f"{name}: Dim" for name in names)


_MANY = [f"N{i}" for i in range(1000)]
_SIZES = ", ".join(_MANY)

DEEP = {
    "parentheses": _body(f"return {'(' * N}x{')' * N}"),
    "open_parentheses": _body("return " + "(" * N),
    "brackets": _body(f"return {'[' * N}x{']' * N}"),
    "indices": _body(f"return {'x[' * N}0{']' * N}"),
    "braces": _body("{" * N + "}" * N),
    "ifs": _body(f"return {'if x > 0.0 { ' * N}x{' } else { x }' * N}"),
    "ifs_in_conditions": _body("return " + "if " * N + "x"),
    "minus": _body(f"return {'-(' * N}x{')' * N}"),
    "minus_chain": _body("return " + "-" * N + "x"),
    "not_chain": _body("return " + "!" * N + "x"),
    "calls_of_calls": _body("return x" + "()" * N),
    "nested_calls": _body(f"return {'exp(' * N}x{')' * N}"),
    "generic_calls": _body(f"return {'f<' * N}x{'>' * N}(x)"),
    "less_than": _body("return " + "x < " * N + "x"),
    "less_or_generic": _body("return " + "a<b " * N + "x"),
    "less_or_generic_in_parentheses": _body("return " + "a<(" * N + "x"),
    "comments": f"{_HEAD}{'/*' * N}{'*/' * N}\nfn f(x: f32) -> f32 {{ return x }}\n",
    "open_comments": _HEAD + "/*" * N,
    "tuple_types": _type(f"{'(' * N}f32,{',)' * N}"),
    "array_types": _type(f"{'[' * N}f32{';1]' * N}"),
    "generic_types": _type(f"{'A<' * N}f32{'>' * N}"),
    "matches": _body(f"return {'match x { some(a) => ' * N}x{' none => x }' * N}"),
    "patterns": _body(f"let {'(' * N}a{',)' * N} = x\n    return x"),
    "somes": _body(f"let y = {'some(' * N}x{')' * N}\n    return x"),
    "tuples": _body(f"let y = {'(' * N}x{',)' * N}\n    return x"),
    "reductions": _body("return " + "sum[i] " * N + "x"),
    "whiles": _body("while true { " * N + "}" * N + " return x"),
    "static_fors": _body("static for i in 0..1 { " * N + "}" * N + " return x"),
    "dimensions": _dims(f"{'(' * N}N{')' * N}"),
    "wheres": f"{_HEAD}fn f<N: Dim>() where {'(' * N}N{')' * N} > 0 {{}}\n",
}

LONG = {
    "sum": _body("return " + "x + " * N + "x"),
    "constant_sum": f"{_HEAD}\nconst A = {'1 + ' * N}1\n",
    "dimension_sum": _dims("N + " * N + "1"),
    "dimension_product": _dims("N * " * N + "1"),
    "dimension_quotients": _dims("N" + " / 2" * N),
    "members": _body("return x" + ".a" * N),
    "arguments": _body(f"return f({'x, ' * N}x)"),
    "parameters": f"{_HEAD}fn f({', '.join(f'a{i}: f32' for i in range(5000))}) -> f32 "
    "{ return a0 }\n",
    "lets": _body(_each(lambda i: f"let a{i} = x\n", 20_000) + "return x"),
    "chain_of_lets": _body(
        "let a0 = x\n" + _each(lambda i: f"let a{i + 1} = a{i} + x\n", 20_000) + "return a20000"
    ),
    "chain_of_aliases": f"{_HEAD}type A0 = f32\n"
    + _each(lambda i: f"type A{i + 1} = A{i}\n", 20_000)
    + "fn f(x: A20000) -> f32 { return x }\n",
    "chain_of_constants": f"{_HEAD}const A0 = 1\n"
    + _each(lambda i: f"const A{i + 1} = A{i} + 1\n", 20_000)
    + "fn f(x: Tensor[A20000; f32]) -> f32 { return 0.0 }\n",
    "chain_of_functions": f"{_HEAD}fn g0(x: f32) -> f32 {{ return x }}\n"
    + _each(lambda i: f"fn g{i + 1}(x: f32) -> f32 {{ return g{i}(x) }}\n", 5000),
    "chain_of_blocks": f"{_HEAD}block B0 {{ param w: Tensor[1; f32] }}\n"
    + _each(lambda i: f"block B{i + 1} {{ sub b: B{i} }}\n", 5000),
    "line_of_comment": f"{_HEAD}// {'a' * (10 << 20)}\nfn f(x: f32) -> f32 {{ return y }}\n",
    "line_of_spaces": f"{_HEAD}fn f(x: f32) -> f32 {{ return{' ' * (10 << 20)}y }}\n",
    "line_of_sum": f"{_HEAD}fn f(x: f32) -> f32 {{ return x{' + x' * (10 << 18)} }}\n",
    "line_of_letters": _HEAD + "a" * (10 << 20),
    "line_of_signs": _HEAD + "@" * (10 << 20),
    "line_of_accents": _HEAD + "é" * (5 << 20),
    "lines": _HEAD + "\n" * (10 << 20) + "@",
    "name": f"{_HEAD}fn {'a' * (1 << 20)}(x: f32) -> f32 {{ return x }}\n"
    f"fn g(x: f32) -> f32 {{ return {'b' * (1 << 20)} }}\n",
    "string": _body(f'let y = "{"a" * (1 << 20)}"\n    return x'),
}

MANY = {
    "undeclared_names": _body(_each(lambda i: f"let a{i} = q{i}\n", 20_000) + "return x"),
    "wrong_functions": _HEAD + _each(lambda i: f"fn g{i}(x: f32) -> f32 {{ return y }}\n", 5000),
    "unproven_claims": _HEAD
    + _each(
        lambda i: f"fn g{i}<N: Dim, M: Dim>(x: Tensor[N; f32]) -> Tensor[M; f32] {{ return x }}\n",
        1000,
    ),
    "stray_signs": _HEAD + "@ " * N,
    "escapes": _HEAD + '"\\q" ' * N,
    "generics": f"{_HEAD}fn f<{_generics(_MANY)}>(x: Tensor[{_SIZES}; f32]) -> "
    f"Tensor[{_SIZES}; f32] {{ return x + x }}\n"
    f"fn g<{_generics(_MANY)}>(x: Tensor[{_SIZES}; f32]) -> Tensor[{_SIZES}; f32] "
    "{ return f(x) }\n",
    "terms": f"{_HEAD}fn f<{_generics(_MANY)}>(x: Tensor[{' + '.join(_MANY[:150])}; f32]) -> "
    f"Tensor[{' + '.join(reversed(_MANY[:150]))}; f32] {{ return x + x }}\n",
    "facts": f"{_HEAD}fn f<{_generics(_MANY)}>(x: Tensor[N0; f32]) -> Tensor[N999; f32]\n"
    f"where {', '.join(f'N{i} == N{i + 1}' for i in range(999))} {{ return x + x }}\n",
    "axes": f"{_HEAD}fn f(x: Tensor[{', '.join('1' * 1000)}; f32]) -> "
    f"Tensor[{', '.join('1' * 1000)}; f32] {{ return x + x }}\n",
}

HUGE = {
    "integer": _body(f"let y = {'9' * N}\n    return x"),
    "hexadecimal": _body(f"let y = 0x{'f' * N}\n    return x"),
    "float": _body(f"let y: f64 = 1{'0' * N}.0\n    return x"),
    "exponent": _body(f"let y: f64 = 1.0e{'9' * N}\n    return x"),
    "product": f"{_HEAD}const A = {' * '.join(['9223372036854775807'] * 150)}\n",
    "shift": f"{_HEAD}const A = shl(1, 1000000)\nfn f(x: Tensor[A; f32]) -> f32 {{ return 0.0 }}",
    "sizes": f"{_HEAD}fn f(x: Tensor[9223372036854775807, 9223372036854775807; f32]) -> "
    "Tensor[9223372036854775807; f32] { return reshape(x, [9223372036854775807]) }\n",
    # Each of these doubles something a hundred times.
    "squares": f"{_HEAD}const A0 = 2\n"
    + _each(lambda i: f"const A{i + 1} = A{i} * A{i}\n", 100)
    + "fn f(x: Tensor[A100; f32]) -> f32 { return 0.0 }\n",
    "tuples": f"{_HEAD}type A0 = f32\n"
    + _each(lambda i: f"type A{i + 1} = (A{i}, A{i})\n", 100)
    + "fn f(x: A100) -> f32 { return 0.0 }\n",
    "quotients": f"{_HEAD}fn f<N: Dim>(x: Tensor[N; f32]) -> f32 {{\n    let a0 = N\n"
    + _each(lambda i: f"    let a{i + 1} = a{i} / 2 + a{i} % 3\n", 60)
    + "    let y = fill<f32>([a60], 0.0)\n    return 0.0\n}\n",
    "polynomial": f"{_HEAD}fn f<{_generics(_MANY[:14])}>(x: Tensor["
    f"{' * '.join(f'({name} + 1)' for name in _MANY[:14])}; f32]) -> Tensor[3; f32] "
    "{ return x + x }\n",
    "power": f"{_HEAD}fn f<A: Dim, B: Dim, C: Dim>(x: Tensor[{' * '.join(['(A + B + C)'] * 60)}; "
    "f32]) -> Tensor[3; f32] { return x + x }\n",
    "blocks": f"{_HEAD}block B0 {{ param w: Tensor[1; f32] }}\n"
    + _each(lambda i: f"block B{i + 1} {{ sub a: B{i} sub b: B{i} }}\n", 100),
}

ODD = {
    "nothing": b"",
    "one_nul": (_HEAD + "fn f(x: f32) -> f32 { return \0x }\n").encode(),
    "nuls": b"\0" * N,
    "bom": ("\ufeff" + _HEAD).encode(),
    "bom_alone": "\ufeff".encode(),
    "two_boms": ("\ufeff\ufeff" + _HEAD).encode(),
    "utf_16": _HEAD.encode("utf-16"),
    **{
        f"{name}_in_{place}": (_HEAD + before).encode() + data + after.encode()
        for name, data in {
            "continuation": b"\x80",
            "overlong": b"\xc0\xaf",
            "cut_3": b"\xe2\x82",
            "cut_4": b"\xf0\x9f\x98",
            "surrogate": b"\xed\xa0\x80",
            "surrogate_pair": b"\xed\xa0\xbd\xed\xb8\x80",
            "beyond": b"\xf4\x90\x80\x80",
            "never": b"\xfe\xff",
            "five_bytes": b"\xf8\x88\x80\x80\x80",
            "latin_1": b"\xe9t\xe9",
            "many": b"\xff" * N,
        }.items()
        for place, before, after in (
            ("code", "fn f(x: f32) -> f32 { return ", " }\n"),
            ("comment", "// ", "\nfn f(x: f32) -> f32 { return x }\n"),
            ("string", 'fn f(x: f32) -> f32 { let y = "', '"\n return x }\n'),
        )
    },
}
