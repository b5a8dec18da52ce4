"""The statements of the migrations. What each table is for stands in `tables` and `memory_tables`.

A released statement is never changed.
"""

M001 = (
    "CREATE TABLE setting (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE asset (
        sha256 TEXT NOT NULL PRIMARY KEY, mime TEXT NOT NULL, data BLOB NOT NULL, created_at REAL NOT NULL)""",
    """CREATE TABLE character (
        id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, card TEXT NOT NULL, original TEXT NOT NULL,
        picture TEXT NOT NULL, starter TEXT NOT NULL, created_at REAL NOT NULL, removed INTEGER NOT NULL)""",
    """CREATE TABLE persona (
        id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, picture TEXT NOT NULL,
        created_at REAL NOT NULL)""",
    """CREATE TABLE conversation (
        id INTEGER NOT NULL PRIMARY KEY, title TEXT NOT NULL,
        character_id INTEGER NOT NULL REFERENCES character(id),
        persona_id INTEGER NOT NULL REFERENCES persona(id),
        active_branch_id INTEGER REFERENCES branch(id),
        reply_format TEXT NOT NULL, markup TEXT NOT NULL, language TEXT NOT NULL,
        created_at REAL NOT NULL, last_used_at REAL NOT NULL, use_number INTEGER NOT NULL,
        message_count INTEGER NOT NULL, replies_passed INTEGER NOT NULL, replies_total INTEGER NOT NULL,
        removed INTEGER NOT NULL)""",
    "CREATE INDEX conversation_use ON conversation(use_number)",
    "CREATE INDEX conversation_character ON conversation(character_id)",
    "CREATE INDEX conversation_persona ON conversation(persona_id)",
    """CREATE TABLE composer_draft (
        conversation_id INTEGER NOT NULL PRIMARY KEY REFERENCES conversation(id), text TEXT NOT NULL)""",
    """CREATE TABLE branch (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        parent_id INTEGER REFERENCES branch(id), fork_ordinal INTEGER, fork_message_id INTEGER REFERENCES message(id),
        name TEXT NOT NULL, created_at REAL NOT NULL, use_number INTEGER NOT NULL, removed INTEGER NOT NULL)""",
    "CREATE INDEX branch_conversation ON branch(conversation_id)",
    "CREATE INDEX branch_parent ON branch(parent_id, fork_ordinal)",
    """CREATE TABLE message (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        branch_id INTEGER NOT NULL REFERENCES branch(id), ordinal INTEGER NOT NULL,
        role TEXT NOT NULL, speaker TEXT NOT NULL, sibling_of INTEGER REFERENCES message(id),
        is_greeting INTEGER NOT NULL, created_at REAL NOT NULL)""",
    "CREATE INDEX message_sibling ON message(sibling_of) WHERE sibling_of IS NOT NULL",
    """CREATE TABLE revision (
        id INTEGER NOT NULL PRIMARY KEY, message_id INTEGER NOT NULL REFERENCES message(id),
        text TEXT NOT NULL, segments TEXT NOT NULL, reasoning TEXT NOT NULL,
        finish TEXT NOT NULL, stopped_by TEXT NOT NULL, cut_text TEXT NOT NULL,
        thinking_cut INTEGER NOT NULL, format_ok INTEGER NOT NULL,
        tokenizer TEXT NOT NULL, token_ids BLOB, stats TEXT, created_at REAL NOT NULL, hash BLOB NOT NULL)""",
    "CREATE INDEX revision_message ON revision(message_id)",
    """CREATE TABLE message_state (
        message_id INTEGER NOT NULL PRIMARY KEY REFERENCES message(id),
        revision_id INTEGER REFERENCES revision(id), revision_count INTEGER NOT NULL, removed INTEGER NOT NULL)""",
    """CREATE TABLE draft (
        message_id INTEGER NOT NULL PRIMARY KEY REFERENCES message(id),
        text TEXT NOT NULL, reasoning TEXT NOT NULL, updated_at REAL NOT NULL)""",
    """CREATE TABLE note (
        message_id INTEGER NOT NULL PRIMARY KEY REFERENCES message(id), text TEXT NOT NULL)""",
    """CREATE TABLE event (
        id INTEGER NOT NULL PRIMARY KEY, step INTEGER NOT NULL, kind TEXT NOT NULL,
        conversation_id INTEGER REFERENCES conversation(id), character_id INTEGER REFERENCES character(id),
        message_id INTEGER REFERENCES message(id), branch_id INTEGER REFERENCES branch(id),
        data TEXT NOT NULL, created_at REAL NOT NULL)""",
    "CREATE INDEX event_step ON event(step)",
    "CREATE INDEX event_message ON event(message_id) WHERE message_id IS NOT NULL",
    """CREATE TABLE undo_step (
        conversation_id INTEGER NOT NULL REFERENCES conversation(id), step INTEGER NOT NULL,
        PRIMARY KEY (conversation_id, step)) WITHOUT ROWID""",
    """CREATE TABLE path_entry (
        branch_id INTEGER NOT NULL REFERENCES branch(id), ordinal INTEGER NOT NULL,
        message_id INTEGER NOT NULL REFERENCES message(id), hidden INTEGER NOT NULL,
        PRIMARY KEY (branch_id, ordinal)) WITHOUT ROWID""",
    "CREATE UNIQUE INDEX path_message ON path_entry(message_id)",
    "CREATE INDEX path_visible ON path_entry(branch_id, ordinal, message_id) WHERE hidden = 0",
    "CREATE INDEX path_hidden ON path_entry(branch_id, ordinal) WHERE hidden = 1",
    """CREATE TABLE active_stretch (
        branch_id INTEGER NOT NULL PRIMARY KEY REFERENCES branch(id),
        conversation_id INTEGER NOT NULL REFERENCES conversation(id), last_ordinal INTEGER NOT NULL)""",
    "CREATE INDEX active_stretch_conversation ON active_stretch(conversation_id)",
    """CREATE TABLE cut (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        branch_id INTEGER NOT NULL REFERENCES branch(id), ordinal INTEGER, reason TEXT NOT NULL,
        created_at REAL NOT NULL)""",
    "CREATE INDEX cut_branch ON cut(branch_id)",
    # `ascii` takes every character beyond ASCII as part of a word: the words are ours (search_text.py).
    """CREATE VIRTUAL TABLE message_search USING fts5(
        scope, body, content='', contentless_delete=1, tokenize='ascii', prefix='1')""",
)

M002 = (
    """CREATE TABLE fold (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        branch_id INTEGER NOT NULL REFERENCES branch(id), first_ordinal INTEGER NOT NULL, last_ordinal INTEGER NOT NULL,
        kind TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, model TEXT NOT NULL,
        prompt_version TEXT NOT NULL, tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL,
        error TEXT NOT NULL, started_at REAL NOT NULL, finished_at REAL)""",
    "CREATE INDEX fold_conversation ON fold(conversation_id)",
    """CREATE TABLE fold_attempt (
        id INTEGER NOT NULL PRIMARY KEY, fold_id INTEGER NOT NULL REFERENCES fold(id), number INTEGER NOT NULL,
        task TEXT NOT NULL, text TEXT NOT NULL, finish TEXT NOT NULL, rejected TEXT NOT NULL, stats TEXT,
        created_at REAL NOT NULL)""",
    "CREATE INDEX fold_attempt_fold ON fold_attempt(fold_id)",
    """CREATE TABLE chapter (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        level INTEGER NOT NULL, kind TEXT NOT NULL, language TEXT NOT NULL, fold_id INTEGER REFERENCES fold(id),
        model TEXT NOT NULL, prompt_version TEXT NOT NULL, finish TEXT NOT NULL, created_at REAL NOT NULL)""",
    "CREATE INDEX chapter_conversation ON chapter(conversation_id, level)",
    """CREATE TABLE chapter_item (
        id INTEGER NOT NULL PRIMARY KEY, chapter_id INTEGER NOT NULL REFERENCES chapter(id),
        position INTEGER NOT NULL, text TEXT NOT NULL, truth TEXT NOT NULL, speaker TEXT NOT NULL)""",
    "CREATE INDEX chapter_item_chapter ON chapter_item(chapter_id, position)",
    """CREATE TABLE chapter_item_source (
        item_id INTEGER NOT NULL REFERENCES chapter_item(id), message_id INTEGER NOT NULL REFERENCES message(id),
        revision_id INTEGER NOT NULL REFERENCES revision(id), PRIMARY KEY (item_id, message_id)) WITHOUT ROWID""",
    "CREATE INDEX chapter_item_source_message ON chapter_item_source(message_id)",
    """CREATE TABLE chapter_part (
        part_id INTEGER NOT NULL REFERENCES chapter(id), position INTEGER NOT NULL,
        chapter_id INTEGER NOT NULL REFERENCES chapter(id), PRIMARY KEY (part_id, position)) WITHOUT ROWID""",
    "CREATE INDEX chapter_part_chapter ON chapter_part(chapter_id)",
    """CREATE TABLE ledger_row (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        subject TEXT NOT NULL, text TEXT NOT NULL, truth TEXT NOT NULL, source TEXT NOT NULL, told_by TEXT NOT NULL,
        known_to TEXT NOT NULL, fold_id INTEGER REFERENCES fold(id), created_at REAL NOT NULL)""",
    "CREATE INDEX ledger_row_subject ON ledger_row(conversation_id, subject)",
    """CREATE TABLE ledger_source (
        row_id INTEGER NOT NULL REFERENCES ledger_row(id), message_id INTEGER NOT NULL REFERENCES message(id),
        revision_id INTEGER NOT NULL REFERENCES revision(id), PRIMARY KEY (row_id, message_id)) WITHOUT ROWID""",
    "CREATE INDEX ledger_source_message ON ledger_source(message_id)",
    """CREATE TABLE ledger_link (
        id INTEGER NOT NULL PRIMARY KEY, row_id INTEGER NOT NULL REFERENCES ledger_row(id),
        earlier_id INTEGER NOT NULL REFERENCES ledger_row(id), kind TEXT NOT NULL, created_at REAL NOT NULL)""",
    "CREATE INDEX ledger_link_row ON ledger_link(row_id)",
    "CREATE INDEX ledger_link_earlier ON ledger_link(earlier_id)",
    """CREATE TABLE thread (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        title TEXT NOT NULL, created_at REAL NOT NULL)""",
    "CREATE INDEX thread_conversation ON thread(conversation_id)",
    """CREATE TABLE thread_event (
        id INTEGER NOT NULL PRIMARY KEY, thread_id INTEGER NOT NULL REFERENCES thread(id), kind TEXT NOT NULL,
        message_id INTEGER REFERENCES message(id), revision_id INTEGER REFERENCES revision(id), text TEXT NOT NULL,
        fold_id INTEGER REFERENCES fold(id), created_at REAL NOT NULL)""",
    "CREATE INDEX thread_event_thread ON thread_event(thread_id)",
    "CREATE INDEX thread_event_message ON thread_event(message_id) WHERE message_id IS NOT NULL",
    """CREATE TABLE pin (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        message_id INTEGER NOT NULL REFERENCES message(id), revision_id INTEGER NOT NULL REFERENCES revision(id),
        start_char INTEGER NOT NULL, end_char INTEGER NOT NULL, created_at REAL NOT NULL, removed INTEGER NOT NULL)""",
    "CREATE INDEX pin_conversation ON pin(conversation_id)",
    "CREATE INDEX pin_message ON pin(message_id)",
)

M003 = (
    "ALTER TABLE chapter ADD COLUMN title TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE cut ADD COLUMN items TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE message_state ADD COLUMN off_record INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE message_state ADD COLUMN ends_chapter INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX fold_branch ON fold(branch_id, last_ordinal)",
    "CREATE INDEX chapter_fold ON chapter(fold_id)",
)

M004 = (
    "ALTER TABLE ledger_row ADD COLUMN kind TEXT NOT NULL DEFAULT 'said'",
    "ALTER TABLE ledger_row ADD COLUMN told_to TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE ledger_row ADD COLUMN quote TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE ledger_row ADD COLUMN receipt TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE ledger_link ADD COLUMN linked_by TEXT NOT NULL DEFAULT 'code'",
    "ALTER TABLE ledger_link ADD COLUMN score REAL NOT NULL DEFAULT 1",
    "ALTER TABLE thread_event ADD COLUMN by_user INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE thread_event ADD COLUMN score REAL NOT NULL DEFAULT 1",
    "ALTER TABLE pin ADD COLUMN pinned_by TEXT NOT NULL DEFAULT 'user'",
    "ALTER TABLE pin ADD COLUMN fold_id INTEGER REFERENCES fold(id)",
    "ALTER TABLE fold ADD COLUMN noted INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX fold_to_note ON fold(branch_id, last_ordinal) WHERE noted = 0 AND kind = 'chapter'",
    "ALTER TABLE chapter ADD COLUMN replaces INTEGER REFERENCES chapter(id)",
    "ALTER TABLE chapter ADD COLUMN accepted INTEGER NOT NULL DEFAULT 1",
    "CREATE INDEX chapter_replaces ON chapter(replaces) WHERE replaces IS NOT NULL",
    "ALTER TABLE cut ADD COLUMN lines TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE cut ADD COLUMN hand_seen INTEGER NOT NULL DEFAULT 0",
    """CREATE TABLE hand (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        target TEXT NOT NULL, target_id INTEGER NOT NULL, act TEXT NOT NULL, text TEXT NOT NULL,
        created_at REAL NOT NULL)""",
    "CREATE INDEX hand_conversation ON hand(conversation_id, id)",
    """CREATE TABLE now_line (
        id INTEGER NOT NULL PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversation(id),
        field TEXT NOT NULL, text TEXT NOT NULL, locked INTEGER NOT NULL,
        message_id INTEGER REFERENCES message(id), revision_id INTEGER REFERENCES revision(id),
        created_at REAL NOT NULL)""",
    "CREATE INDEX now_line_conversation ON now_line(conversation_id, field, id)",
)

M005 = (
    # Ranked search for old lines: the words of `message_search` with English ones by their stems. It stands beside it
    # because what someone types must match as it is typed (`light` on the way to `lighthouse`).
    """CREATE VIRTUAL TABLE message_recall USING fts5(
        scope, body, content='', contentless_delete=1, tokenize='porter ascii', prefix='1')""",
    # Filled from the words that are indexed already: how texts are cut into words stands in no SQL.
    "CREATE VIRTUAL TABLE temp.search_word USING fts5vocab(main, message_search, instance)",
    """INSERT INTO message_recall(rowid, scope, body)
        SELECT doc, max(CASE col WHEN 'scope' THEN term END),
            coalesce(group_concat(CASE col WHEN 'body' THEN term END, ' ' ORDER BY offset), '')
        FROM temp.search_word GROUP BY doc""",
    "DROP TABLE temp.search_word",
)
