"""The pictures of README and the documentation: `make pictures`.

The diagram is drawn here. The terminal session is a real run of the demonstration, and the report is the page that it
wrote, photographed by Chromium if that is installed.
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WINDOW = "1100,1000"
COLUMNS = 104
# the lines of each command's output that the session shows, from its beginning and from its end
SESSION = {"gen-ddl": (3, 1), "deploy-connector": (3, 2), "verify": (3, 0)}
FONT = "ui-sans-serif, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
INK, LINE, PAPER, ACCENT, PALE = "#1f2933", "#8593a3", "#ffffff", "#2f6fd0", "#eaf1fb"


def diagram() -> str:
    """The way of an event, and what outbox-kit does beside it, as SVG."""
    parts = [
        *_box(20, 130, 150, 90, "your service", "one transaction:", "order + event"),
        *_box(225, 130, 150, 90, "database", "orders, outbox", "WAL or binlog"),
        *_box(430, 130, 170, 90, "Kafka Connect", "Debezium connector", "event router"),
        *_box(655, 130, 150, 90, "Kafka topic", "key, headers", "payload"),
        *_box(860, 130, 120, 90, "consumers", "inbox"),
        *_box(340, 10, 320, 56, "outbox.yaml", "events, topics, keys, payload schemas", fill=PALE),
        *_box(340, 290, 320, 56, "outbox-kit verify", "every event once, in order, as declared?", fill=PALE),
        _arrow(170, 175, 225, 175),
        _arrow(375, 175, 430, 175),
        _arrow(600, 175, 655, 175),
        _arrow(805, 175, 860, 175),
        _arrow(370, 66, 110, 130, ACCENT),
        _arrow(430, 66, 310, 130, ACCENT),
        _arrow(505, 66, 515, 130, ACCENT),
        _arrow(300, 220, 400, 290, ACCENT),
        _arrow(730, 220, 610, 290, ACCENT),
        _label(205, 92, "gen-code"),
        _label(382, 118, "gen-ddl", anchor="start"),
        _label(528, 102, "deploy-connector", anchor="start"),
        _label(325, 262, "rows", anchor="end"),
        _label(690, 262, "messages", anchor="start"),
    ]
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 356" role="img" '
        'aria-label="A service writes an event into the outbox table, Debezium publishes it to Kafka, '
        'and outbox-kit generates and verifies all of it from one schema file">'
    )
    marker = (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="context-stroke"/></marker></defs>'
    )
    paper = f'<rect width="1000" height="356" rx="8" fill="{PAPER}"/>'
    return "\n".join([head, marker, paper, *parts, "</svg>", ""])


def _box(x: int, y: int, width: int, height: int, title: str, *lines: str, fill: str = PAPER) -> Iterator[str]:
    yield (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" '
        f'stroke="{ACCENT if fill == PALE else LINE}" stroke-width="1.5"/>'
    )
    first = y + (height - 20 * len(lines)) / 2 + 5
    for number, text in enumerate((title, *lines)):
        weight = ' font-weight="600"' if number == 0 else ""
        size = 16 if number == 0 else 13
        yield (
            f'<text x="{x + width / 2:g}" y="{first + 20 * number:g}" text-anchor="middle" font-family="{FONT}" '
            f'font-size="{size}" fill="{INK}"{weight}>{escape(text)}</text>'
        )


def _arrow(x1: int, y1: int, x2: int, y2: int, colour: str = INK) -> str:
    dashed = ' stroke-dasharray="5 4"' if colour == ACCENT else ""
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="1.6"{dashed} '
        'marker-end="url(#head)"/>'
    )


def _label(x: int, y: int, text: str, *, anchor: str = "middle") -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-family="ui-monospace, Menlo, Consolas, monospace" '
        f'font-size="12" fill="{ACCENT}">{escape(text)}</text>'
    )


def session(transcript: str) -> str:
    """Some commands of the demonstration as a terminal, in SVG. transcript: what the demonstration printed."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for line in _session_lines(transcript):
        console.print(_styled(line if len(line) <= COLUMNS else f"{line[: COLUMNS - 4]} ..."), soft_wrap=True)
    picture = console.export_svg(title="outbox-kit", unique_id="session")
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # fonts of another server


def _session_lines(transcript: str) -> Iterator[str]:
    commands = re.split(r"^(?=\$ |── )", transcript, flags=re.MULTILINE)
    for name, (first, last) in SESSION.items():
        command = next(part for part in commands if part.startswith(f"$ outbox-kit {name}"))
        typed, *output = command.rstrip().split("\n")
        yield re.sub(r" --report (?!html)\S+", "", typed)
        verdict = [number for number, line in enumerate(output) if line.startswith(("PASS", "FAIL", "INCONCLUSIVE"))]
        output = [line for line in output[verdict[0] if verdict else 0 :] if not line.startswith("waiting")]
        yield from output[:first]
        if len(output) > first + last:
            yield "..."
        yield from output[len(output) - last :]
        yield ""


def _styled(line: str) -> Text:
    text = Text(line)
    if line.startswith("$ "):
        text.stylize("bold")
    text.highlight_regex(r"^PASS|RUNNING", "bold green")
    text.highlight_regex(r"^\+", "green")
    return text


def photograph(page: Path, picture: Path) -> bool:
    """Take a picture of an HTML page with the first browser that is installed. Returns False if there is none."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return False
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={WINDOW}"]
    command = [browser, *options, f"--screenshot={picture}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return True


def main() -> None:
    """Draw all pictures into this folder."""
    (HERE / "diagram.svg").write_text(diagram())
    with tempfile.TemporaryDirectory() as folder:
        demonstration = Path(folder) / "demo"
        command = [sys.executable, "-m", "outbox_kit", "demo", str(demonstration)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
        (HERE / "session.svg").write_text(session(done.stdout))
        if not photograph(demonstration / "report.html", HERE / "report.png"):
            print(f"report.png stays as it is: none of {', '.join(BROWSERS)} is installed", file=sys.stderr)


if __name__ == "__main__":
    main()
