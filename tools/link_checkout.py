"""Makes the virtual environment that runs this file know the checkout it belongs to.

After it, `.venv/bin/python -c "import linnet"`, `.venv/bin/linnet` and `.venv/bin/linnet-opt` are
those of the checkout: nothing is copied, so an edit shows at once.
"""

import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Write the path file and the two links."""
    packages = Path(sysconfig.get_path("purelib"))
    (packages / "linnet-checkout.pth").write_text(f"{ROOT / 'python'}\n", encoding="utf-8")
    for name in ("linnet", "linnet-opt"):
        link = Path(sys.prefix) / "bin" / name
        link.unlink(missing_ok=True)
        link.symlink_to(ROOT / "build" / "bin" / name)


if __name__ == "__main__":
    main()
