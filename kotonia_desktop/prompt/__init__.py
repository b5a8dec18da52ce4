"""The stable-prefix prompt: its items, budgets and itemisation."""
