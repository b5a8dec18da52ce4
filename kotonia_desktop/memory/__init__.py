"""When to fold, what to write, what is true."""
