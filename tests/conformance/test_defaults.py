"""PostgreSQL's defaults, taken apart by the real connectors' own code."""

import json
from pathlib import Path
from typing import Any

import jpype
import pytest

from outbox_kit.router import defaults
from outbox_kit.versions import Version
from tests.conformance import strategies as st
from tests.support.jvm import LINES, POSTGRES_JAR, loader

MEASURED = json.loads((Path(__file__).parents[1] / "unit" / "router" / "column_defaults.json").read_text("utf-8"))
OWNER = "io.debezium.connector.postgresql.connection.PostgresDefaultValueConverter"
PIECES = (
    "'",
    "''",
    "a",
    "now",
    "(",
    ")",
    "()",
    "::text",
    "NULL::",
    " ",
    ",",
    ".",
    "current_timestamp",
    "\n",
    "'x'",
    "1",
)
expressions = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)


def real(home: Any, expression: str) -> str | None:
    """What a release takes for a default's value; None also where it throws, after which it leaves the default out."""
    # not as jpype's own class, which would ask for PostgreSQL's driver
    owner = jpype.JClass("java.lang.Class").forName(OWNER, True, home)
    try:
        found = jpype.JClass("Harness").called(owner, "extractDefault", [expression, "placeholder"])
    except jpype.JException as thrown:
        assert "IllegalStateException" in str(thrown), thrown
        return None
    return None if found is None else str(found)


@pytest.mark.parametrize("line", LINES)
def test_a_default_s_value_is_what_the_connector_takes_for_it(line: str, pytestconfig: pytest.Config) -> None:
    home = loader(line, POSTGRES_JAR)
    drawn = st.seeded(expressions, pytestconfig.getoption("--case-seed"))
    written = [expression for _, _, expression, _ in MEASURED if expression]
    for expression in [*written, *(next(drawn)[1] for _ in range(500))]:
        assert defaults.value_text(expression, "placeholder", Version.of(line)) == real(home, expression), expression
