"""The database of a verification, when it is interrupted."""

from pathlib import Path

from outbox_kit.verify.state.scratch import ScratchDatabase
from tests.support.interruptions import interrupted

ROUNDS = 400
ROWS = [(str(number), number) for number in range(200)]


def test_an_interruption_is_never_a_failure_of_the_database(tmp_path: Path) -> None:
    database = ScratchDatabase(tmp_path, 1 << 28, "no data", "little")
    database.execute("create table notes (text varchar, number bigint)")

    def work() -> None:
        database.insert("notes", ROWS)
        for _ in database.batches("select * from notes limit 500", {}, 100):
            pass

    ends = interrupted(work, ROUNDS)
    assert set(ends) <= {"KeyboardInterrupt", "complete"} and ends["KeyboardInterrupt"] > 0, ends
    assert database.number("select count(*) from notes") >= ends["complete"] * len(ROWS)
    database.close()
