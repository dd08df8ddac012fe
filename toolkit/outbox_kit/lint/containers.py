"""The services that a compose file, or a block of it on a page, has. Pure."""

import re
from collections.abc import Mapping
from functools import lru_cache

from outbox_kit.lazy_pattern import lazy_pattern

LOCAL = ("localhost", "127.0.0.1")
"""The names by which a host reaches itself."""
SERVICES = lazy_pattern(r"^(?P<indent>[ \t]*)services:[ \t]*(?:#.*)?$", re.MULTILINE)
IMAGE = lazy_pattern(r"\bimage:[ \t]*[\"']?(?P<image>[^\s\"'#]+)")
PORT = lazy_pattern(r"[\"'\[\s](?:[\d.]+:)?(?P<published>\d+):(?P<inside>\d+)(?=[\"'\s,\]]|$)", re.MULTILINE)
BROKER = lazy_pattern(r"(?:^|/)(?:cp-kafka|cp-server|kafka|cp-enterprise-kafka)(?:[:@]|$)")
WORKER = lazy_pattern(r"(?:^|/)(?:connect|connect-base|cp-kafka-connect|cp-server-connect|kafka-connect)(?:[:@]|$)")


@lru_cache(maxsize=4)
def services(text: str) -> Mapping[str, str]:
    """The texts of the services by their names; those of several files together."""
    blocks = dict[str, str]()
    for match in SERVICES.finditer(text):
        lines, name, depth = list[str](), "", -1
        for line in text[match.end() + 1 :].splitlines():
            bare = line.strip()
            indent = len(line) - len(line.lstrip())
            if not bare or bare.startswith("#"):
                continue
            if indent <= len(match["indent"]):
                break
            depth = indent if depth < 0 else depth
            if indent == depth and bare.endswith(":"):
                blocks[name] = "\n".join(lines)
                name, lines = bare.rstrip(":").strip("\"'"), []
            else:
                lines.append(line)
        blocks[name] = "\n".join(lines)
    return {name: block for name, block in blocks.items() if name}


def image(block: str) -> str:
    """The image of a service; empty if it has none."""
    match = IMAGE.search(block)
    return match["image"] if match else ""


def at_host(text: str, host: str) -> str:
    """The text of the service that others reach by a name; empty if no service has it, or the name is not known."""
    if not host:
        return ""
    name = re.compile(
        rf"^[ \t]*(?:-[ \t]+|container_name:[ \t]*|hostname:[ \t]*)[\"']?{re.escape(host)}[\"']?[ \t]*$", re.MULTILINE
    )
    blocks = services(text)
    return blocks.get(host, "") or next((block for block in blocks.values() if name.search(block)), "")


def brokers(text: str) -> list[str]:
    """The texts of the services that run a broker of Kafka."""
    return [block for block in services(text).values() if BROKER.search(image(block))]


def workers(text: str) -> list[str]:
    """The texts of the services that run a worker of Kafka Connect."""
    return [block for block in services(text).values() if WORKER.search(image(block))]
