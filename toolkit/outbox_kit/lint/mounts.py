"""The folders that a file mounts into a container, such as a page with its Compose service. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from posixpath import join, normpath

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint.mentions import closing

HOME = "/debezium"
"""The working directory of Debezium Server's image."""
SERVER = r"debezium/server\b"
WORKER = r"(?:debezium/connect(?:-base)?|confluentinc/cp-(?:kafka|server)-connect(?:-base)?)(?=[:@\s\"'`]|$)"
"""Images as they are published: into another one files may be copied."""
IMAGE = r"^(?P<indent>[ \t]*)(?:-[ \t]+)?image:[ \t]*[\"']?\S*{image}"
COMMAND = r"\b(?:docker|podman)\s+run\b(?:[^\n\\]|\\\n|\\.)*?{image}"
ARGUMENT = r"\bimage\s*[=:]\s*[\"'`]\S*{image}"
"""The image as an argument, or a member, of a call in a program."""
VOLUME = lazy_pattern(r"(?:-v|--volume)[ =]+[\"']?[^\s\"']*?:(/[^\s:\"']*)|\b(?:target|destination|dst)=(/[^\s,\"']*)")
SHORT = lazy_pattern(r"(?:^[ \t]*-[ \t]+|[\[,][ \t]*)[\"']?[^\s\"'#,]*?:(/[^\s:\"',\]]*)", re.MULTILINE)
LONG = lazy_pattern(r"(?:^[ \t]*(?:-[ \t]+)?|[{,][ \t]*)(?:target|mountPath):[ \t]*[\"']?(/[^\s\"'#,}]*)", re.MULTILINE)
PATH = lazy_pattern(r"(?:container_?path|mount_?path|target)[\"']?\s*[=:]\s*[\"'`](/[^\"'`]*)", re.IGNORECASE)
UNSEEN = lazy_pattern(r"<<:|\bextends:|\.\.\.|…|volumes_from:|\{\{|\$\(")
"""What a service has whose volumes may be elsewhere."""


@lru_cache(maxsize=4)
def folders(text: str, image: str = SERVER) -> Sequence[str] | None:
    """What is mounted into the only container of an image; None if there is none, or several. image: a pattern."""
    services, commands, calls = (
        [*re.finditer(pattern.format(image=image), text, re.MULTILINE)] for pattern in (IMAGE, COMMAND, ARGUMENT)
    )
    if len(services) + len(commands) + len(calls) != 1:
        return None
    if calls:
        return [normpath(match[1]) for match in PATH.finditer(_call(text, calls[0].start()))]
    if commands:
        return [normpath(match[1] or match[2]) for match in VOLUME.finditer(commands[0][0])]
    block = "\n".join(_around(text.splitlines(), text.count("\n", 0, services[0].end())))
    if UNSEEN.search(block):
        return None
    return [normpath(match[1]) for pattern in (SHORT, LONG) for match in pattern.finditer(block)]


def pod_folders(text: str) -> Sequence[str]:
    """The folders that volumes of Kubernetes fill, not those of which one file is mounted."""
    return [normpath(match[1]) for match in LONG.finditer(text) if "subPath" not in text and "mountPath" in match[0]]


def outlives(file: str, mounted: Sequence[str]) -> bool:
    """Whether a file of the container is on a volume."""
    return covers(normpath(join(HOME, file)), mounted)


def covers(file: str, mounted: Sequence[str]) -> bool:
    """Whether a file is in a folder that is mounted, or is mounted itself."""
    whole = normpath(file)
    return any(folder in (whole, "/") or whole.startswith(f"{folder}/") for folder in mounted)


def _call(text: str, at: int) -> str:
    """The arguments of the call that has an offset in it."""
    start, depth = at, 0
    while start and depth <= 0:
        start -= 1
        depth += (text[start] in "([{") - (text[start] in ")]}")
    return text[start : closing(text, at)]


def _around(lines: Sequence[str], number: int) -> Sequence[str]:
    """The lines of the mapping that has a line. number: of the line, from 0."""
    depth, start, end = _depth(lines[number]), number, number + 1
    while start and not _is_item(lines[start], depth) and _depth(lines[start - 1]) >= depth:
        start -= 1
    while end < len(lines) and not _is_item(lines[end], depth) and _depth(lines[end]) >= depth:
        end += 1
    return lines[start:end]


def _is_item(line: str, depth: int) -> bool:
    """Whether a line begins an item of a list whose members have a depth."""
    return line.lstrip().startswith("- ") and _depth(line) == depth


def _depth(line: str) -> int:
    """How far the name in a line is indented; blank lines belong to what is around, a fence of Markdown to nothing."""
    plain = line.lstrip()
    if not plain or plain.startswith("#"):
        return len(line) + 1000
    if plain.startswith("```"):
        return -1
    return len(line) - len(plain) + (2 if plain.startswith("- ") else 0)
