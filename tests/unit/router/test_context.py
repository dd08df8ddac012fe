"""In which release a connector's own headers are sent, what they say, and what is not known of them."""

from typing import Any

import pytest

from outbox_kit.router.context import LOGICAL_NAME, OPTION, PREFIX, TASK, UUID, context_headers
from outbox_kit.router.values import NotModelled
from outbox_kit.versions import Version

CONFIG = {"topic.prefix": "shop"}
PLAIN = [("connectorLogicalName", "shop"), ("taskId", "0"), ("connectorName", "postgresql")]
NAMED = [*PLAIN, ("runId", UUID)]


def sent(dialect: str, config: dict[str, str], release: str) -> list[tuple[str, Any]]:
    return [(h.name.removeprefix(PREFIX), h.text) for h in context_headers(dialect, config, Version.of(release))]


@pytest.mark.parametrize(
    ("release", "config", "expected"),
    [
        ("3.1.3", {}, []),
        ("3.2.0", {}, PLAIN),
        ("3.2.0", {OPTION: "false"}, PLAIN),
        ("3.2", {OPTION: "false"}, []),
        ("3.2.1", {OPTION: " FALSE "}, []),
        ("3.3", {}, PLAIN),
        ("3.4", {}, NAMED),
        ("3.7", {OPTION: "True"}, NAMED),
    ],
)
def test_who_sends_is_said_since_3_2(release: str, config: dict[str, str], expected: list[Any]) -> None:
    assert sent("postgres", CONFIG | config, release) == expected


def test_a_word_that_the_connector_refuses_is_not_modelled() -> None:
    with pytest.raises(NotModelled, match=r"extended\.headers\.enabled=yes"):
        context_headers("postgres", CONFIG | {OPTION: "yes"}, Version.of("3.6"))


@pytest.mark.parametrize(
    ("databases", "tasks", "expected"),
    [("a", "4", "0"), ("a,b", "1", "0"), ("a,b", "2", TASK)],
)
def test_only_sql_server_s_connector_has_several_tasks(databases: str, tasks: str, expected: object) -> None:
    config = CONFIG | {"database.names": databases, "tasks.max": tasks}
    assert dict(sent("sqlserver", config, "3.6"))["taskId"] == expected
    assert dict(sent("mysql", config, "3.6"))["taskId"] == "0"


@pytest.mark.parametrize("config", [{}, {"topic.prefix": "${env:PREFIX}"}])
def test_a_name_that_is_not_known_here_is_not_invented(config: dict[str, str]) -> None:
    assert dict(sent("postgres", config, "3.6"))["connectorLogicalName"] == LOGICAL_NAME
