"""Every CORE op in every dtype on every evaluator."""
