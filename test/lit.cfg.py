"""lit's configuration: which files are tests, and where their tools are.

A test is an `.mlir` file (or `.test` script) outside `python/` and `conformance/` with a RUN line.
`linnet-opt`, `linnet`, `FileCheck` and `not` are the ones in the build folder.
"""

import os
from pathlib import Path

import lit.formats

# lit defines both before it runs this file.
config = globals()["config"]
lit_config = globals()["lit_config"]

root = Path(__file__).resolve().parent.parent
build = Path(os.environ.get("LINNET_BUILD", root / "build"))

config.name = "linnet"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["python", "conformance", "Inputs"]
config.test_source_root = str(root / "test")
config.test_exec_root = str(build / "test")

if not (build / "bin" / "linnet-opt").exists():
    lit_config.fatal(f"{build}/bin/linnet-opt is missing; run `make build`")
config.environment["PATH"] = os.pathsep.join([str(build / "bin"), config.environment["PATH"]])
config.environment["NO_COLOR"] = "1"
# A mismatch shows the input around it, once.
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error --dump-input-context=20"
config.substitutions.append(("%root", str(root)))
