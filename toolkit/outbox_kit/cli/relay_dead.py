"""`relay dead` and `relay keys`: the events that the relay could not publish, and the lanes that wait for them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outbox_kit.cli import App, options
from outbox_kit.cli.confirmation import confirmed
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.cli.planned import Yes
from outbox_kit.cli.relay import expect_relay, relay_app
from outbox_kit.errors import UnknownName, UnsafeChange, UsageProblem
from outbox_kit.printable import counted, printable

if TYPE_CHECKING:
    from outbox_kit.databases.failures import FailureDesk, Selection
    from outbox_kit.schema.model import Outbox

dead_app = App(no_args_is_help=True, help="List, send again or delete dead letters: events the relay gave up.")
relay_app.add_typer(dead_app, name="dead")

SHOWN_NUMBERS = 10
Topic = Annotated[str | None, typer.Option(metavar="TOPIC", help="Only dead letters for this topic.")]
Lane = Annotated[
    str | None, typer.Option(metavar="JSON", help='Only this lane, as the list shows it: \'["Order","4711"]\'.')
]
Key = Annotated[str | None, typer.Option(metavar="KEY", help="Only lanes of this key.")]
Limit = Annotated[int, typer.Option(min=1, help="How many are shown.")]
Numbers = Annotated[list[int] | None, typer.Argument(metavar="NUMBER", help="Numbers of `relay dead list`.")]
All = Annotated[bool, typer.Option("--all", help="All dead letters.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be changed; change nothing.")]


@dead_app.command("list")
def dead_list(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    topic: Topic = None,
    lane: Lane = None,
    key: Key = None,
    limit: Limit = 100,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """List the dead letters: events that were refused too often, or that the router cannot route."""
    from outbox_kit.relay import letters

    desk, _ = _desk(ctx, file, service, env, dsn, timeout)
    dead = desk.dead(_selection(None, topic, lane, key), limit)
    if output is options.Format.json:
        documents = list(map(letters.document, dead.letters))
        show_json({"schema": "outbox-kit/relay-dead/v1", "dead_letters": documents, "total": dead.total})
        return
    for line in letters.table(dead.letters):
        show(line)
    _say_more(len(dead.letters), dead.total, "dead letter")


@dead_app.command("show")
def dead_show(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="NUMBER", help="A number of `relay dead list` or `relay keys`.")],
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Show everything about one stored event, with its row. Text output cuts long values, JSON does not."""
    from outbox_kit.relay import letters

    desk, _ = _desk(ctx, file, service, env, dsn, timeout)
    event = desk.event(number)
    if event is None:
        raise UnknownName(f"event {number} not found", fix="list the numbers: outbox-kit relay dead list")
    if output is options.Format.json:
        show_json({"schema": "outbox-kit/relay-dead-letter/v1", **letters.document(event, row=True)})
        return
    for line in letters.details(event):
        show(line)


@dead_app.command("retry")
def dead_retry(
    ctx: typer.Context,
    numbers: Numbers = None,
    all_letters: All = False,
    topic: Topic = None,
    lane: Lane = None,
    key: Key = None,
    rate: Annotated[float | None, typer.Option(metavar="NUMBER", help="Send at most so many of them a second.")] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Have the relay send dead letters again. Their attempts start at 0."""
    if rate is not None and not 0.001 <= rate <= 1_000_000:
        raise UsageProblem(f"invalid --rate '{rate}': expected events a second, from 0.001 to 1000000")
    selection = _chosen(numbers, topic, lane, key, all_letters=all_letters)
    desk, outbox = _desk(ctx, file, service, env, dsn, timeout)
    chosen = _existing(desk, selection)
    as_json = output is options.Format.json
    if not _agreed(chosen, "send {} again", dry_run=dry_run, yes=yes):
        _report("retry", chosen, 0, "to send again", as_json=as_json, dry_run=dry_run)
        return
    changed = desk.retry(chosen, rate) if chosen else 0
    _report("retry", chosen, changed, "will be sent again", as_json=as_json)
    if changed:
        _expect_running(outbox, options.dsn_for(ctx, dsn, outbox))


@dead_app.command("discard")
def dead_discard(
    ctx: typer.Context,
    numbers: Numbers = None,
    all_letters: All = False,
    topic: Topic = None,
    lane: Lane = None,
    key: Key = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Needed: the events are never published.")
    ] = False,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """Delete dead letters. Events that wait for them are published."""
    selection = _chosen(numbers, topic, lane, key, all_letters=all_letters)
    if not dry_run and not allow_destructive:
        raise UnsafeChange(
            "discarded events are never published",
            why="the relay does not read them again from the outbox",
            fix="see which they are with --dry-run, then repeat with --allow-destructive",
        )
    desk, _ = _desk(ctx, file, service, env, dsn, timeout)
    chosen = _existing(desk, selection)
    as_json = output is options.Format.json
    if not _agreed(chosen, "discard {}, which are never published", dry_run=dry_run, yes=yes):
        _report("discard", chosen, 0, "to discard", as_json=as_json, dry_run=dry_run)
        return
    _report("discard", chosen, desk.discard(chosen) if chosen else 0, "discarded", as_json=as_json)


@relay_app.command("keys")
def keys(
    ctx: typer.Context,
    file: options.SchemaPath = options.DEFAULT_PATH,
    service: options.Service = None,
    env: options.Env = None,
    dsn: options.Dsn = None,
    limit: Limit = 100,
    timeout: options.Timeout = 60.0,
    output: options.OutputFormat = options.Format.text,
) -> None:
    """List the lanes whose events wait, and the event for which each waits."""
    from outbox_kit.relay import letters

    desk, _ = _desk(ctx, file, service, env, dsn, timeout)
    lanes = desk.waiting(limit)
    if output is options.Format.json:
        documents = list(map(letters.lane_document, lanes.waiting))
        show_json({"schema": "outbox-kit/relay-keys/v1", "lanes": documents, "total": lanes.total})
        return
    for line in letters.lanes_table(lanes.waiting):
        show(line)
    _say_more(len(lanes.waiting), lanes.total, "waiting lane")


def _desk(
    ctx: typer.Context, file: Path, service: str | None, env: str | None, dsn: str | None, seconds: float
) -> tuple["FailureDesk", "Outbox"]:
    """The table of failed events, and the outbox. Raises UsageProblem."""
    from outbox_kit.databases import servers, whereabouts

    options.limited(ctx, seconds)
    outbox = options.outbox_from(file, service, env)
    expect_relay(outbox)
    address = options.dsn_for(ctx, dsn, outbox)
    whereabouts.expect(address, outbox)
    make = servers.get(outbox.database.dialect).failure_desk
    if make is None:
        raise UsageProblem(f"the relay cannot read {outbox.dialect.title}", fix="set delivery: {by: connector}")
    return make(address, outbox), outbox


def _expect_running(outbox: "Outbox", dsn: str) -> None:
    """Warn if no relay sends the events."""
    from outbox_kit.delivery.relay import RelayDelivery

    if not RelayDelivery(outbox, dsn).running():
        say(f"warning: no relay of '{outbox.service}' runs: nothing is sent until one is started: outbox-kit relay")


def _chosen(
    numbers: Sequence[int] | None, topic: str | None, lane: str | None, key: str | None, *, all_letters: bool
) -> "Selection":
    """The dead letters that a command is to change. Raises UsageProblem unless they are chosen in one way."""
    conditions = [name for name in (topic, lane, key) if name is not None]
    if (bool(numbers), all_letters, bool(conditions)).count(True) != 1:
        raise UsageProblem(
            "expected either numbers, or --all, or --topic, --lane and --key",
            fix="list the dead letters with their numbers: outbox-kit relay dead list",
        )
    return _selection(numbers or None, topic, lane, key)


def _selection(numbers: Sequence[int] | None, topic: str | None, lane: str | None, key: str | None) -> "Selection":
    """Raises UsageProblem for what is no text or no lane."""
    from outbox_kit.databases.failures import Selection
    from outbox_kit.relay.letters import lane_of

    for option, text in (("--topic", topic), ("--lane", lane), ("--key", key)):
        if text is not None and not _is_text(text):
            raise UsageProblem(f"invalid {option} '{printable(text)}': expected text in UTF-8")
    exact = None if lane is None else lane_of(lane)
    if lane is not None and exact is None:
        raise UsageProblem(
            f"invalid --lane '{printable(lane)}': expected a JSON array of route and key",
            fix="copy it from the list: outbox-kit relay keys; or use --key",
        )
    return Selection(numbers, topic, exact, key)


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _existing(desk: "FailureDesk", selection: "Selection") -> Sequence[int]:
    """The numbers of the dead letters. Raises UnknownName, UsageProblem if one that was named is none."""
    chosen = desk.numbers(selection)
    missing = sorted({*(selection.numbers or ())} - {*chosen})
    if not missing:
        return chosen
    fix = "list the numbers: outbox-kit relay dead list"
    if desk.event(missing[0]) is None:
        raise UnknownName(f"event {missing[0]} not found; nothing was changed", fix=fix)
    why = f"it waits, and is sent automatically: outbox-kit relay dead show {missing[0]}"
    raise UsageProblem(f"event {missing[0]} is not a dead letter; nothing was changed", why=why, fix=fix)


def _agreed(numbers: Sequence[int], action: str, *, dry_run: bool, yes: bool) -> bool:
    """Whether to go on: asks on a terminal. Raises UnsafeChange where no one can answer."""
    if dry_run:
        return False
    if yes or not numbers:
        return True
    what = action.format(counted(len(numbers), "dead letter"))
    return confirmed(
        what,
        fix="see which they are with --dry-run, then repeat with --yes",
        question=f"{what[:1].upper()}{what[1:]} ({_some(numbers)})?",
    )


def _report(
    action: str, chosen: Sequence[int], changed: int, words: str, *, as_json: bool, dry_run: bool = False
) -> None:
    """Print what was changed, or would be."""
    if as_json:
        document = {"action": action, "dry_run": dry_run, "numbers": list(chosen), "changed": changed}
        show_json({"schema": "outbox-kit/relay-dead-change/v1", **document})
    elif not chosen:
        say("no dead letters; nothing was changed")
    elif changed:
        show(f"{counted(changed, 'dead letter')} {words}")
    else:
        show(f"{counted(len(chosen), 'dead letter')} {words}: {_some(chosen)}")
        say("nothing was changed")


def _some(numbers: Sequence[int]) -> str:
    """The first numbers in a sentence."""
    first = ", ".join(map(str, numbers[:SHOWN_NUMBERS]))
    more = len(numbers) - SHOWN_NUMBERS
    return f"{first} and {more:,} more" if more > 0 else first


def _say_more(shown: int, total: int, noun: str) -> None:
    more = f", {total - shown:,} more: use --limit" if total > shown else ""
    say(f"{counted(total, noun) if total else f'no {noun}s'}{more}")
