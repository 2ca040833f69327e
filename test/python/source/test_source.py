"""Files, spans and positions."""

from pathlib import Path

from linnet.source import SourceFile, Span, Unreadable, decode, read


def test_a_byte_order_mark_is_skipped_but_counts_as_bytes() -> None:
    file = decode(b"\xef\xbb\xbfmodule a\n", "a.linnet")
    assert file.text == "module a\n"
    assert file.position(0) == (1, 1, 3)


def test_columns_count_code_points_and_offsets_count_bytes() -> None:
    file = decode("é = λ\nx".encode(), "a.linnet")
    assert file.position(4) == (1, 5, 5)
    assert file.position(6) == (2, 1, 8)


def test_bytes_outside_utf8_are_kept_and_listed() -> None:
    file = decode(b"a\xffb\n\xfe", "a.linnet")
    assert file.invalid == (1, 4)
    assert file.position(4) == (2, 1, 4)


def test_lines_end_at_line_feeds_and_lose_their_carriage_returns() -> None:
    file = decode(b"one\r\ntwo\n", "a.linnet")
    assert [file.line_text(line) for line in (1, 2, 3)] == ["one", "two", ""]
    assert file.line_column(5) == (2, 1)


def test_a_span_gives_its_text_and_reaches_to_another() -> None:
    file = SourceFile("a.linnet", "let a = b")
    assert Span(file, 0, 3).to(Span(file, 4, 5)).text == "let a"


def test_files_are_equal_only_to_themselves() -> None:
    assert SourceFile("a", "x") != SourceFile("a", "x")


def test_an_unreadable_file_is_a_value(tmp_path: Path) -> None:
    missing = read(tmp_path / "none.linnet")
    assert isinstance(missing, Unreadable)
    assert missing.reason == "No such file or directory"
    assert isinstance(read(tmp_path), Unreadable)
    assert isinstance(read("a\0b"), Unreadable)
