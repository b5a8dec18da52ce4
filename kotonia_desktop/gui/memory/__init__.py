"""The memory beside the page. Today: what the model sees now. Chapters, people and loose ends will stand here."""
