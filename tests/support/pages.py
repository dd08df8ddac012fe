"""The documentation as its fenced blocks, commands and links.

A remark in the line above a block says what tests do with it:

    <!-- file: outbox.yaml -->    the block is that file, for the later blocks of its page
    <!-- run -->                  its commands are run in that folder, without any server, and their output is compared
    <!-- run: 7 -->               the same, and the page shows the first 7 lines of each output
    <!-- walk -->                 its commands are run on the real stack, in the order of the page
    <!-- walk: 7+1 exit 1 -->     the same; the page shows the first 7 lines and the last one, and the exit code is 1
    <!-- example -->              it shows what another system or an application of yours has; it is only parsed
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
WIDTH = 120
FENCE = re.compile(
    r"^(?P<remark><!-- [^\n]* -->\n)?(?P<indent> *)```(?P<language>[\w-]+)\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
COMMAND = re.compile(
    r"""(?:^|[|;&(]\s*|\bexec\ |\s--\ )outbox-kit\ (?P<arguments>(?:'[^']*'|"[^"]*"|[^'"|;&>)\#\n])*)""",
    re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    """The line of its first fence."""
    language: str
    text: str
    remark: str
    """What tests do with it; empty if nothing is said."""

    @property
    def id(self) -> str:
        """Its place, as a test's name."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def task(self) -> str:
        """The first word of its remark."""
        return self.remark.partition(":")[0]

    @property
    def value(self) -> str:
        """The rest of its remark, but for the exit code."""
        return self.remark.partition(":")[2].partition("exit")[0].strip()

    @property
    def exit_code(self) -> str:
        """The exit code of its commands."""
        return self.remark.partition("exit ")[2] or "0"


@dataclass(frozen=True)
class Typed:
    """A command of a console block, with the output that the page shows."""

    command: str
    output: tuple[str, ...]


@cache
def pages() -> tuple[Path, ...]:
    """Every page that a user reads: README and its neighbours, and the folder of documentation."""
    beside = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
    return tuple([page for page in beside if page.exists()] + sorted((ROOT / "docs").rglob("*.md")))


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    """The fenced blocks of a page."""
    text = page.read_text()
    return tuple(
        Block(
            page,
            text.count("\n", 0, match.start("indent")) + 1,
            match["language"],
            re.sub(rf"^{match['indent']}", "", match["text"], flags=re.MULTILINE),
            (match["remark"] or "").strip("<!->\n ").strip(),
        )
        for match in FENCE.finditer(text)
    )


def all_blocks() -> list[Block]:
    """The fenced blocks of every page."""
    return [block for page in pages() for block in blocks(page)]


def typed(block: Block) -> Iterator[Typed]:
    """The commands of a block: lines after a prompt with their output, or in a script every line."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        yield from (Typed(command, ()) for command in _script(text))
        return
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *output = part.rstrip("\n").split("\n")
        yield Typed(re.sub(r"\s+#\s.*", "", command), tuple(output))


def _script(text: str) -> Iterator[str]:
    """The commands of a script: its lines without remarks, joined while a quotation is open."""
    command = ""
    for line in text.splitlines():
        command += f"\n{line}" if command else re.sub(r"(^|\s)#.*", "", line).strip()
        if command and command.count("'") % 2 == 0:
            yield command
            command = ""


def kit_commands(text: str) -> list[str]:
    """The arguments of each command of outbox-kit in lines of a shell."""
    return [match["arguments"].strip() for match in COMMAND.finditer(text)]


def anchors(page: Path) -> set[str]:
    """The anchors of a page: of its headings, as GitHub makes them, and those that it names."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.+)$", re.sub(FENCE, "", page.read_text()), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    named = re.findall(r'<a id="([^"]+)"></a>', page.read_text())
    made = {name if count == 0 else f"{name}-{count}" for name, total in found.items() for count in range(total + 1)}
    return {*named, *made}


def links(page: Path) -> list[str]:
    """The targets of a page's links."""
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(FENCE, "", page.read_text()))


def shown(output: str, limit: str) -> tuple[str, ...]:
    """The lines of an output that a page shows.

    limit: how many, such as 7; 7+1 for the first seven and the last one; all if it is empty.
    """
    written = output.rstrip("\n").split("\n") if output.strip() else []
    lines = [_cut(line.rstrip()) for line in written if not line.startswith("waiting ")]  # that a busy machine is slow
    first, _, last = limit.partition("+")
    end = len(lines) - int(last or 0)
    return tuple(lines if not limit or int(first) >= end else [*lines[: int(first)], "...", *lines[end:]])


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 4].rstrip()} ..."


def steady(lines: tuple[str, ...]) -> list[str]:
    """Lines without what differs from run to run: numbers, ids, durations, sizes."""
    without_ids = (re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0/[0-9A-F]+", "ID", line) for line in lines)
    without_numbers = (re.sub(r"\d[\d.,:TZ-]*", "N", re.sub(r"\s+", " ", line)) for line in without_ids)
    return [re.sub(r"N [kM]B\b", "N B", line) for line in without_numbers]


def write_outputs(block: Block, outputs: list[tuple[str, ...]]) -> None:
    """Write the outputs of a console block's commands into its page, unless only what `steady` leaves out differs."""
    if [steady(command.output) for command in typed(block)] == [steady(output) for output in outputs]:
        return
    commands = [part.split("\n") for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]]
    text = ""
    for lines, output in zip(commands, outputs, strict=True):
        command = [line for number, line in enumerate(lines) if number == 0 or lines[number - 1].endswith("\\")]
        text += "\n".join(["$ " + "\n".join(command), *output, ""])
    page = block.page.read_text()
    block.page.write_text(page.replace(f"```console\n{block.text}```", f"```console\n{text}```", 1))
