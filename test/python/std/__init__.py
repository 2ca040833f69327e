"""Every item of `std` on every target, against NumPy."""
