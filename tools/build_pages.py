"""Writes build/pages/: a page of each model that comes with the package, and a list of them.

    python tools/build_pages.py [FOLDER]

What a card, program or benchmark has wrong ends it with one line and exit status 1.
"""

import sys
from pathlib import Path

from linnet.errors import LinnetError
from linnet.nest import find, packaged, page_of
from linnet.pages import index_page

ROOT = Path(__file__).resolve().parent.parent


def build(folder: Path) -> list[Path]:
    """Write the pages and give their paths, that of the list last."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    listed: list[tuple[str, str, str]] = []
    for name in packaged():
        card = find(name)
        path = folder / f"{name}.html"
        path.write_text(page_of(card), "utf-8")
        written.append(path)
        listed.append((path.name, card.title, card.summary))
    index = folder / "index.html"
    index.write_text(index_page("Models of the package", listed), "utf-8")
    return [*written, index]


if __name__ == "__main__":
    try:
        paths = build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "pages")
    except LinnetError as error:
        sys.exit(f"build_pages: {error}")
    print("\n".join(map(str, paths)))
