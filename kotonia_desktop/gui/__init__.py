"""The window: PySide6 widgets, models, delegates, workers. Uses services and domain only."""
