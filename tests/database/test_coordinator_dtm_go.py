"""DTM's client for Go, unchanged, against the coordinator: each case is a message of its own.

`python -m tests.support.dtm` runs the same cases against the server of DTM.
"""

import json
from pathlib import Path

from tests.support import dtm
from tests.support.coordinators import Coordinator, Shop
from tests.support.toolchain import DTM, go_program, run

BUSINESS = ["answer of the commit is lost", "crash after the commit", "submitted"]
"""The cases whose transaction has committed."""


def test_every_case(shop: Shop, coordinating: Coordinator, key: str, tmp_path: Path) -> None:
    for statement in dtm.TABLES:
        shop.server.ask(statement, database=shop.name)
    dsn = str(shop.server.dsn(shop.name))  # type: ignore[attr-defined]
    environment = {"DTM_SERVER": f"{coordinating.url}/api/dtmsvr", "DTM_PREFIX": key, "DTM_DATABASE": dsn}
    results = json.loads(run(go_program(dtm.PROGRAM, DTM, tmp_path), folder=tmp_path, **environment))
    assert results["newGid"]
    assert dtm.words(results) == dtm.EXPECTED
    assert results["calls"] == {}  # the events are published, and no action is called
    published = sorted(case for case, steps in dtm.EXPECTED.items() if steps[-1] == "succeed")
    assert shop.rows(key) == [key + case for case in published]
    orders = shop.server.ask("select id from orders order by id", database=shop.name)
    assert orders == [(key + case,) for case in BUSINESS]
