"""The connector behind the topics: does it run, and is its config what the schema file means."""

from outbox_kit import deadline
from outbox_kit.connect import plan
from outbox_kit.connect.client import Connect
from outbox_kit.connect.health import health
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.finding import Findings, Place
from outbox_kit.render import connector
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.names import names

MOST_SECONDS = 30.0  # for Connect's answers: a worker that hangs takes no time from the topics


def look(connect: Connect, outbox: Outbox, findings: Findings) -> str | None:
    """Add what is found; why nothing could be asked, or None. The run goes on without Connect, and is no pass."""
    name, here = names(outbox).connector, Place("*")
    try:
        with deadline.within(min(MOST_SECONDS, max(deadline.left() / 4, 1.0))):
            live, status = connect.config(name), connect.status(name)
    except EnvironmentProblem as problem:
        why = ": ".join(filter(None, (problem.what, problem.why)))
        findings.add("CFG-06", here, f"an answer of {connect.url}", why)
        return why
    if live is None or status is None:
        findings.add("CFG-03", here, f"a connector '{name}'", "none")
        return None
    found = health(status, live)
    if not found.running:
        findings.add("CFG-03", here, f"'{name}' running", str(found))
    for edit in plan.between(live, connector.config(outbox)):
        was, now = edit.shown(edit.before) or "nothing", edit.shown(edit.after) or "nothing"
        findings.add("CFG-01", here, f"{edit.key} = {now}", was)
    for key, value in sorted(live.items()):
        option = options.resolve(live, key).option
        if option is not None and option.risk(value):
            findings.add("CFG-02", here, f"{key} = {option.default}", value)
    return None
