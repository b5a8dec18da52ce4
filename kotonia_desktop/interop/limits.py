"""How large a foreign file may be before it is refused. All limits stand here; sizes are bytes unless said otherwise.

They are far above what people make and far below what hurts: bombs inflate to hundreds of megabytes.
"""

MB = 1024 * 1024

CARD_FILE = 32 * MB
CARD_JSON = 8 * MB
"""A card's JSON when decoded, and the text chunks of a PNG in sum."""
JSON_DEPTH = 64
JSON_KEYS = 20_000
"""Keys of all objects of a card together."""
PNG_CHUNKS = 10_000
"""From here on only a card's own text chunks are looked at."""
PICTURE_FILE = 20 * MB
PICTURE_PIXELS = 40_000_000
PICTURE_STORED_SIDE = 512
"""Pixels of the longer side of a picture as it is stored."""
NAME = 200
"""Characters."""
TAG = 60
"""Characters."""
TAGS = 200
GREETINGS = 100
LORE_ENTRIES = 20_000
LORE_KEYS = 200
"""Keys of one entry."""
LORE_KEY = 500
"""Characters."""
CHAT_FILE = 256 * MB
CHAT_LINE = 4 * MB
CHAT_LONG_MESSAGE = 100_000
"""Characters; a longer message is kept and noted."""
CHAT_LINES = 1_000_000
CHAT_SWIPES = 200
"""Alternates of one message that are taken over."""
DIALOGUE_FILE = 32 * MB
DIALOGUE_KEYS = 1_000_000
WORKER_MEMORY = 512 * MB
WORKER_SILENCE = 30.0
"""Seconds without a sign of progress."""
WORKER_BATCH = 500
"""Messages sent to the parent at a time."""
