"""The worker that a file shows beside its connectors: a resource, variables of a container, or properties. Pure."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from outbox_kit.lazy_pattern import lazy_pattern

RESOURCE = lazy_pattern(r"^kind:[ \t]*KafkaConnect[ \t]*$", re.MULTILINE)
TOPIC = lazy_pattern(r"\b(?:CONNECT_)?CONFIG_STORAGE_TOPIC\b|^[ \t]*config\.storage\.topic[ \t]*[:=]", re.MULTILINE)
"""What every worker of a cluster has."""
OPTION = lazy_pattern(
    r"(?:^[ \t]*(?:-[ \t]+)?|[\[,][ \t]*|[ \t]-e[ \t]+)[\"']?"
    r"(?:CONNECT_(?P<variable>[A-Z0-9_]+)|(?P<bare>(?:KEY|VALUE)_CONVERTER)\b|(?P<property>[a-z]+(?:\.[a-z0-9]+)+))[\"']?"
    r"[ \t]*[:=][ \t]*[\"']?(?P<value>[^\s\"'#]+)",
    re.MULTILINE,
)
"""A property, or a variable: Debezium's image has some without the prefix."""
LISTED = lazy_pattern(
    r"\bname:[ \t]*[\"']?CONNECT_(?P<variable>[A-Z0-9_]+)[\"']?(?:,[ \t]*|[ \t]*\n[ \t]*)"
    r"value:[ \t]*[\"']?(?P<value>[^\s\"'#},]+)"
)
"""A variable in the list of a container of Kubernetes."""
SERVERS = lazy_pattern(r"^[ \t]*bootstrapServers:[ \t]*[\"']?(?P<value>[^\s\"'#]+)", re.MULTILINE)
TLS = lazy_pattern(r"^ {2}tls:", re.MULTILINE)
AUTHENTICATION = lazy_pattern(
    r"^ {2}authentication:[ \t]*\n(?:[ \t]+(?!type:)\S.*\n)*[ \t]+type:[ \t]*[\"']?(?P<kind>[\w-]+)", re.MULTILINE
)
"""How a resource of Strimzi says how its worker connects."""
PROVIDERS = lazy_pattern(
    r"\b(?:config\.providers|(?P<variable>CONNECT_CONFIG_PROVIDERS))\b(?!\.)[\"']?(?:,?[ \t]*\n?[ \t]*value)?[\"']?"
    r"[ \t]*[:=][ \t]*[\"']?(?P<names>[^\s\"'#}\\]*)"
)
"""The config providers of any worker, also of one that the file shows in part, such as MSK's configuration."""
OUTLINES = ("...", "…", "# other", "# more")
"""What a file has that leaves parts of the worker out."""


@lru_cache(maxsize=4)
def options(text: str) -> Mapping[str, str] | None:
    """The options of the worker that a text shows; None if it shows none, several, or not all of it."""
    places = [match.start() for match in (*RESOURCE.finditer(text), *TOPIC.finditer(text))]
    if not places or len(RESOURCE.findall(text)) > 1 or len(TOPIC.findall(text)) > 1:
        return None
    block = _block(text)
    if any(mark in block for mark in OUTLINES) or (RESOURCE.search(block) and "bootstrapServers:" not in block):
        return None
    listed = {match["variable"].lower().replace("_", "."): match["value"] for match in LISTED.finditer(block)}
    return listed | {
        (match["property"] or (match["variable"] or match["bare"]).lower().replace("_", ".")): match["value"]
        for match in OPTION.finditer(block)
    }


@lru_cache(maxsize=4)
def providers(text: str) -> frozenset[str] | None:
    """The names of the config providers of all workers in a text; None where one is in a template."""
    names = _names(PROVIDERS.finditer(text))
    return names if all(re.fullmatch(r"[\w-]+", name) for name in names) else None


@lru_cache(maxsize=4)
def providers_of_variables(text: str) -> frozenset[str]:
    """The names of the config providers that a variable of a container declares."""
    return _names(match for match in PROVIDERS.finditer(text) if match["variable"])


def _names(declarations: Iterable[re.Match[str]]) -> frozenset[str]:
    return frozenset(name.strip() for match in declarations for name in match["names"].split(","))


def connection(text: str) -> tuple[str, str]:
    """The protocol with which the worker reaches its brokers, and their addresses; each is empty if it is not shown."""
    shown = options(text)
    if shown is None:
        return "", ""
    block = _block(text)
    servers, authentication = SERVERS.search(block), AUTHENTICATION.search(block)
    if not servers:
        return shown.get("security.protocol", ""), shown.get("bootstrap.servers", "")
    is_sasl = authentication is not None and authentication["kind"] != "tls"
    return f"{'SASL_' if is_sasl else ''}{'SSL' if TLS.search(block) else 'PLAINTEXT'}", servers["value"]


def _block(text: str) -> str:
    """The part of a text around the worker: up to fences of Markdown, and the lines between documents of YAML."""
    match = TOPIC.search(text) or RESOURCE.search(text)
    at = match.start() if match else 0
    ends = [each.start() for each in re.finditer(r"^(?:```|~~~|---[ \t]*$)", text, re.MULTILINE)]
    start = max((end for end in ends if end <= at), default=0)
    return text[start : min((end for end in ends if end > at), default=len(text))]
