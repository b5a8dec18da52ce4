"""Values and rules of the house: what a message, a character, a model is. Imports nothing of ours but `paths`."""
