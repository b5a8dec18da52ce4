"""The pages of the window: a conversation, the first start, a new chat, the settings, the models."""
