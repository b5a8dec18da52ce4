"""What runs beside the window: blocking calls and turns, whose results come back as queued signals."""
