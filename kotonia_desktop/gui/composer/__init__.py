"""Where the user writes: the field, the button that sends or stops, the draft that is never lost."""
