"""Independent models and weights that tests compare Linnet's results with."""
