"""Foreign files in and out: cards, lorebooks, chats, dialogues. Parsed in a worker process under limits."""
