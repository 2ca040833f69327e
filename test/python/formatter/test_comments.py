"""Comments stay where they are: before what they precede, behind what they follow."""

import textwrap

import pytest

from linnet.formatter import format_source
from linnet.source import decode

# Programs whose comments stand as `fmt` would put them.
KEPT = {
    "around the module line and the imports": """
        // The head.

        /* Of this file. */
        module m // named so

        // Why this one.
        use a.b // and no other
        use c.d::{
            e, // the first
            // And the second.
            f,
        }

        // An item.
        fn f() {} // behind it

        // The end.
    """,
    "in bodies": """
        module m

        fn f() { // on entry
            // First.
            let a = 1 // one

            // Second,
            // on two lines.

            /* Third. */
            let b = 2 /* two */ // 2
            // Last.
        } // after

        fn g() {
            // Nothing.
        }
    """,
    "in lists": """
        module m

        fn f(
            // The first.
            x: f32, // behind it
            y: f32,
            // The rest.
        ) -> f32
        where
            N > 0, // positive
            // And more.
            M > 0
            // So far.
        {
            return g(
                x, /* one */ // 1
                /* two */ y,
            )
        }
    """,
    "inside a line": """
        module m

        fn f() {
            return x /* between */ + f(/* first */ a, b /* last */) /* behind */
        }
    """,
    "in blocks, structs, enums and matches": """
        module m

        struct S {
            // A field.
            a: f32 // f32

            // Another.
            b: f32
        }

        enum E {
            A, // one
            // Two.
            B,
        }

        block B {
            // A parameter.
            param a: f32 // with weights

            // A function.
            fn f() {
                return match x {
                    // If it is there.
                    some(a) => a // it
                    none => b
                    // That is all.
                }
            }
        }
    """,
    "behind operators and equals signs": """
        module m

        fn f() {
            let a = // why
                b
            let c =
                // why
                d +
                e + // and
                // so
                g
        }
    """,
    "on several lines": """
        module m

        /*
         * A box
         *   with an indent.
         */
        fn f() {
            /* one
               two */
            return x
        }
    """,
    "nested and documenting": """
        module m

        /// For the documentation. λ 漢字 🙂
        /** And /* this */ too. */
        const A = 1
    """,
}


def formatted(text: str) -> str:
    result = format_source(decode(text.encode(), "comments.linnet"))
    assert result.text is not None, result.diagnostics
    return result.text


@pytest.mark.parametrize("name", list(KEPT))
def test_comments_in_their_places_stay(name: str) -> None:
    text = textwrap.dedent(KEPT[name]).lstrip("\n")
    assert formatted(text) == text


def test_a_comment_moves_with_what_it_is_attached_to() -> None:
    text = "module m\nfn f(){let a=f(x,// one\ny)// two\n\n\n// three\nlet b=2\n// four\n}// five"
    assert formatted(text) == textwrap.dedent("""\
        module m

        fn f() {
            let a = f(
                x, // one
                y,
            ) // two

            // three
            let b = 2
            // four
        } // five
    """)


def test_a_comment_before_a_comma_goes_behind_it() -> None:
    text = "module m const A = f(a // one\n, b /* two */, c /* three */)"
    assert formatted(text) == textwrap.dedent("""\
        module m

        const A = f(
            a, // one
            b /* two */,
            c /* three */,
        )
    """)


def test_the_lines_of_a_comment_move_with_its_first() -> None:
    text = "module m\nfn f() {\n/* one\n   two\n     three */\nreturn\n}"
    assert "    /* one\n       two\n         three */\n    return" in formatted(text)


def test_a_comment_in_an_odd_place_keeps_its_place() -> None:
    text = "module m fn // name\n f() { let\n// x\nx /* is */ = 1 }"
    once = formatted(text)
    assert formatted(once) == once
    order = ["fn", "// name", "f()", "let", "// x", "x /* is */"]
    places = [once.index(each, 8) for each in order]
    assert places == sorted(places)


def test_white_space_at_line_ends_goes() -> None:
    text = "module m  \n\n// a  \n\n/* b  \n c\t */ \nconst A = 1 // d \t\n"
    assert formatted(text) == "module m\n\n// a\n\n/* b\n c\t */\nconst A = 1 // d\n"


def test_a_comment_that_moves_does_not_leave_a_list_half_done():
    """A first pass puts the comment behind the list, a second one counts its width."""
    text = (
        "module m\npub block Model_xxxx\n< B_x\n: /* note8 */ Dim/* note9 /* nested */ */,\n"
        "Max_xxxx : Dim > /* note10\n      on two lines */ where\nMax_xxxx > 0 {\n}\n"
    )
    once = format_source(decode(text.encode(), "m")).text
    assert once is not None
    assert format_source(decode(once.encode(), "m")).text == once
