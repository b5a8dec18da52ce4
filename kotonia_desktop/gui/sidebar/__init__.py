"""The side list: search, conversations, characters."""
