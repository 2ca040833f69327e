"""Marks the folder from which tests import `oracle`: pytest puts it on the module path."""
