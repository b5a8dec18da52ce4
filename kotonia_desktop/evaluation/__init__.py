"""What the memory is worth, in figures that need no judge: dialogues with planted facts, questions with known evidence.

Nothing here is used while somebody chats.
"""
