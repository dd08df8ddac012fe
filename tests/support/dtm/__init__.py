"""A program that calls a server of DTM's interface with DTM's client for Go, and the tables of its database."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).parent / "main.go"
TABLES = (
    "create schema dtm_barrier",
    "create table dtm_barrier.barrier (id bigint generated always as identity primary key, trans_type text, gid text, "
    "branch_id text, op text, barrier_id text, reason text, "
    "constraint uniq_barrier unique (gid, branch_id, op, barrier_id))",
    "create table orders (id text primary key)",
)
"""DTM's barrier, by the names that its client writes, and a table of the business."""
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
"""What each call of the coordinator has answered to the client, and the state of the message at the end."""


def words(results: Mapping[str, Any]) -> dict[str, list[str]]:
    """What has come of each case, without the servers' own texts: `FAILURE` is a decided failure, `ERROR` any other."""
    cases = {case: texts for case, texts in results.items() if isinstance(texts, list)}
    return {case: [_word(text) for text in texts] for case, texts in cases.items()}


def _word(text: str) -> str:
    if not text.startswith("{"):
        return text
    return "FAILURE" if "FAILURE" in text else "ERROR"
