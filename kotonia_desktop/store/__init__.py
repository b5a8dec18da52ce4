"""One SQLite file through SQLModel: tables, migrations, queries. One connection, one thread."""
