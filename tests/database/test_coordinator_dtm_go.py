"""DTM's client for Go, unchanged, against the coordinator: each case is a message of its own."""

import json
from pathlib import Path

from tests.support import dtm
from tests.support.coordinators import Coordinator, Shop
from tests.support.toolchain import DTM, go_program, run

EXPECTED = {
    "submitted": ["done", "done", "FAILURE", "FAILURE", "succeed"],
    "submitted twice at once": ["done", "done", "done", "succeed"],
    "submitted unprepared": ["done", "succeed"],
    "business fails": ["refused: FAILURE", "done", "FAILURE", "failed"],
    "business is broken": ["lost", "failed"],
    "answer of the commit is lost": ["lost", "succeed"],
    "crash after the commit": ["done", "done", "succeed"],
    "crash before the transaction": ["done", "DUPLICATED", "failed"],
    "no address": ["ERROR", "none"],
    "prepared again": ["done", "done", "prepared"],
    "prepared as another": ["done", "FAILURE", "prepared"],
    "aborted unprepared": ["ERROR", "none"],
    "aborted twice": ["done", "done", "done", "failed"],
    "forced to stop": ["done", "FAILURE", "prepared"],
    "delay": ["ERROR", "none"],
    "topic": ["ERROR", "none"],
    "wait_result": ["ERROR", "none"],
    "branch_headers": ["ERROR", "none"],
    "saga": ["ERROR", "none"],
    "200 null": ["done", "succeed"],
    "200 HTML": ["done", "prepared"],
    "200 empty": ["done", "prepared"],
    "200 FAILURE": ["done", "failed"],
    "409 HTML": ["done", "prepared"],
    "500 with text": ["done", "prepared"],
}
"""What each call has answered to the client, and the state of the message at the end."""
BUSINESS = ["answer of the commit is lost", "crash after the commit", "submitted"]
"""The cases whose transaction has committed."""


def test_every_case(shop: Shop, coordinating: Coordinator, key: str, tmp_path: Path) -> None:
    for statement in dtm.TABLES:
        shop.server.ask(statement, database=shop.name)
    dsn = str(shop.server.dsn(shop.name))  # type: ignore[attr-defined]
    environment = {"DTM_SERVER": f"{coordinating.url}/api/dtmsvr", "DTM_PREFIX": key, "DTM_DATABASE": dsn}
    results = json.loads(run(go_program(dtm.PROGRAM, DTM), folder=tmp_path, **environment))
    assert results["newGid"]
    assert dtm.words(results) == EXPECTED
    assert results["calls"] == {}  # the events are published, and no action is called
    published = sorted(case for case, steps in EXPECTED.items() if steps[-1] == "succeed")
    assert shop.rows(key) == [key + case for case in published]
    orders = shop.server.ask("select id from orders order by id", database=shop.name)
    assert orders == [(key + case,) for case in BUSINESS]
