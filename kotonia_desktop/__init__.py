"""Kotonia Desktop: private character chat on a local model, with a memory that can be read and corrected."""

__version__ = "0.1.0"
