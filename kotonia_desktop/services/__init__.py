"""The use cases: send, regenerate, edit, import. Returns Changes and its own view values; knows no view."""
