"""Which writing calls were begun: a run that goes on after a crash makes none of them a second time."""

from __future__ import annotations

from mindatlas.nodes.storage import home, open_sqlite

JOURNAL_FORMAT = 1
_TABLE = "CREATE TABLE IF NOT EXISTS begun (turn TEXT, call TEXT, PRIMARY KEY (turn, call)) WITHOUT ROWID"


class WriteJournal:
    """Begun writing calls, in `workdesk/writes.sqlite` under home.

    Between the call and its result a process can die, and nobody knows then whether the server did the work.
    Making the call again could do it twice, so it is not made.
    """

    def begin(self, turn: str, call: str) -> bool:
        """Write down that `call` of `turn` begins and return True; False when it had begun before."""
        connection = open_sqlite(home() / "workdesk" / "writes.sqlite", newest=JOURNAL_FORMAT)
        try:
            with connection:
                connection.execute(_TABLE)
                cursor = connection.execute("INSERT OR IGNORE INTO begun VALUES (?, ?)", (turn, call))
                return cursor.rowcount == 1
        finally:
            connection.close()
