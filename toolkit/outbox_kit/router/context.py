"""The headers in which Debezium's connectors say since 3.2 who has sent a row; they come before all others. Pure.

After `DebeziumHeaderProducer` and `EventDispatcher`: rows have them, whether read by a snapshot or from the log, and so
have changes of schemas; heartbeats, transactions and messages in PostgreSQL's log have none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from outbox_kit.router.javatext import split, trim
from outbox_kit.router.options import catalogue
from outbox_kit.router.values import ContextHeader, NotModelled, Varying
from outbox_kit.versions import Version

PREFIX = "__debezium.context."
RUN_ID = f"{PREFIX}runId"
OPTION = "extended.headers.enabled"
OPTIONAL_SINCE = Version.of("3.2.1")  # 3.2.0 always sends them
PLACEHOLDER = "${"
UUID = Varying("a UUID, new at every start of the task", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TASK = Varying("the number of the task", "[0-9]+")
LOGICAL_NAME = Varying("the connector's topic.prefix", ".*")
Texts = Callable[[str, Mapping[str, str]], str | Varying]


def context_headers(dialect: str, config: Mapping[str, str], release: Version) -> tuple[ContextHeader, ...]:
    """The headers of a row's change event, in their order; none where the config switches them off.

    dialect: of the connector's database. config: the connector's. release: Debezium's.
    Raises NotModelled where the option has a word that the connector refuses.
    """
    present = [header for header in HEADERS if release >= header.since]
    if not present or not _enabled(config, release):
        return ()
    return tuple(ContextHeader(f"{PREFIX}{header.name}", header.text(dialect, config)) for header in present)


def _enabled(config: Mapping[str, str], release: Version) -> bool:
    if release < OPTIONAL_SINCE:
        return True
    word = trim(config.get(OPTION, "true")).lower()
    if word not in ("true", "false"):
        raise NotModelled(f"{OPTION}={config[OPTION]}")
    return word == "true"


def _logical_name(_: str, config: Mapping[str, str]) -> str | Varying:
    name = config.get("topic.prefix")
    return LOGICAL_NAME if name is None or PLACEHOLDER in name else name


def _task(dialect: str, config: Mapping[str, str]) -> str | Varying:
    """The task's number. Only SQL Server's connector has several tasks, which share its databases among them."""
    databases = config.get(str(catalogue(dialect).facts.get("one_task_for_each", "")), "")
    return TASK if len(split(databases, ",")) > 1 and trim(config.get("tasks.max", "1")) != "1" else "0"


@dataclass(frozen=True)
class _Header:
    name: str
    since: Version
    text: Texts


HEADERS = (
    _Header("connectorLogicalName", Version.of("3.2"), _logical_name),
    _Header("taskId", Version.of("3.2"), _task),
    _Header("connectorName", Version.of("3.2"), lambda dialect, _: str(catalogue(dialect).facts["name"])),
    _Header("runId", Version.of("3.4"), lambda *_: UUID),
)
