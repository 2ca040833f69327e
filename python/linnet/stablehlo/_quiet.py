"""Imported before jaxlib, which decides while it loads how much it will log."""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
