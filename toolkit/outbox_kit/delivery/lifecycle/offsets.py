"""The stored offsets of a connector: shown, deleted, set back, restored; the old ones are written to a file first."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outbox_kit.databases.interface import StoredOffsets
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.debezium.offset_changes import Entry, shows_offsets, store_offsets
from outbox_kit.delivery.handover.step import Report, Step
from outbox_kit.delivery.lifecycle.plan import OperationPlan
from outbox_kit.delivery.lifecycle.registered import Registered, registered
from outbox_kit.delivery.lifecycle.states import States
from outbox_kit.errors import BadConfigFile, ConnectRefused, UsageProblem

SEE = "see them: outbox-kit offsets show"
SHOWN_SECONDS = 15.0
"""How long the workers may show the offsets of before."""


@dataclass(frozen=True)
class Offsets:
    """The stored offsets of one connector, and their changes."""

    states: States
    """The way to a stopped connector and back."""
    save: Callable[[Sequence[Entry]], str]
    """Writes offsets to a file and returns its name."""

    @property
    def delivery(self) -> Debezium:
        """The connector."""
        return self.states.delivery

    @property
    def report(self) -> Report:
        """Takes a line for each thing that was done."""
        return self.states.report

    @property
    def log(self) -> StoredOffsets | None:
        """What compares offsets with the database's log; None if the database was not named, or is not supported."""
        return self.delivery.server.stored_offsets if self.delivery.dsn is not None else None

    def stored(self) -> list[Entry]:
        """The offsets that Kafka Connect has stored."""
        return list(self.delivery.workers.offsets(self.delivery.name))

    def shown(self) -> tuple[list[Entry], list[str]]:
        """The stored offsets, and what is wrong with them. Raises as `registered`."""
        status = registered(self.delivery).status
        entries = self.stored()
        return entries, self.flaws(entries, runs=status.running)

    def flaws(self, entries: Sequence[Entry], *, runs: bool = False) -> list[str]:
        """What is wrong with offsets, a sentence each: their form, and whether the database's log has the position.

        runs: whether the connector runs, so that its position moves meanwhile and is not compared.
        """
        form, prefix = self.delivery.outbox.dialect.capture.offset, (self.delivery.config or {})["topic.prefix"]
        flaws = [flaw for each in entries for flaw in form.flaws(each.get("partition"), each.get("offset"), prefix)]
        if flaws or self.log is None or runs:
            return flaws
        reasons = [self.log.missing(self.delivery.address, self.delivery.outbox, each["offset"]) for each in entries]
        return [reason for reason in reasons if reason]

    def reset(self) -> OperationPlan:
        """The plan to delete the stored offsets."""
        before, old = registered(self.delivery), self.stored()
        step = Step("reset-offsets", "delete the stored offsets", self._reset)
        return self._plan("offsets reset", before, old, [step] if old else [], [self._reset_effect(before)])

    def rewind(self, position: str) -> OperationPlan:
        """The plan to set the stored offset back to a position. Raises UsageProblem if that is not possible."""
        delivery, log = self.delivery, self.delivery.server.stored_offsets
        if log is None:
            fix = "publish rows again: outbox-kit resend, or all of them: outbox-kit offsets reset"
            raise UsageProblem(f"no rewind with {delivery.outbox.dialect.title}: its positions are not known", fix=fix)
        before, old = registered(delivery), self.stored()
        flaws = self.flaws(old, runs=before.status.running)
        if len(old) != 1 or flaws:
            problems = flaws or [f"expected 1 stored offset, found {len(old)}"]
            raise ConnectRefused("the stored offset cannot be rewound", why="; ".join(problems), fix=SEE)
        offset = log.parse(delivery.address, delivery.outbox, position)
        now, then = delivery.probe.position(old[0]["offset"]), delivery.probe.position(offset)
        within = bool(old[0]["offset"].get("row") or old[0]["offset"].get("event"))  # a transaction that begins there
        if then is None or now is None or then > now or (then == now and not within):
            raise UsageProblem(
                f"position '{position}' is not before the stored offset {json.dumps(old[0]['offset'])}",
                why="a connector that begins at a later position never publishes the events between",
                fix="choose an earlier position",
            )
        between = log.repeated(delivery.address, delivery.outbox, offset, old[0]["offset"])
        effect = (
            f"published again, with the same event ids, after newer events of their keys: {between}; consumers without "
            "an inbox process them twice"
        )
        entry = {"partition": old[0]["partition"], "offset": offset}
        return self._plan("offsets rewind", before, old, [self._set_step([entry])], [effect])

    def restore(self, entries: Sequence[Entry], name: str) -> OperationPlan:
        """The plan to store offsets that were saved before. name: of their file. Raises BadConfigFile."""
        before, old = registered(self.delivery), self.stored()
        if flaws := self.flaws(entries) or ([] if entries else ["it has no offsets"]):
            raise BadConfigFile(
                f"the offsets in '{name}' cannot be stored; nothing was changed", why="; ".join(flaws), fix=SEE
            )
        steps = [] if entries == old else [self._set_step(entries)]
        effect = self._restore_effect(old, entries)
        return self._plan("offsets restore", before, old, steps, [effect])

    def _plan(
        self, name: str, before: Registered, old: Sequence[Entry], steps: list[Step], effects: list[str]
    ) -> OperationPlan:
        """A plan that stops the connector, saves the old offsets, and lets it run again if it did."""
        facts = [*before.facts(), *(("offset", json.dumps(entry)) for entry in old)]
        if not old:
            facts.append(("offset", "none stored"))
        if not steps:
            return OperationPlan(name, before.name, facts, [])
        runs = before.status.connector == "RUNNING"
        saved = Step("save-offsets", "write the stored offsets to a file, to restore them from", self._save)
        end = [self.states.resume_step()] if runs else []
        stopped = before.status.connector == "STOPPED" and not before.status.tasks
        begin = [] if stopped else [self.states.stop_step()]
        following = () if runs else ("outbox-kit resume",)
        return OperationPlan(
            name,
            before.name,
            facts,
            [*begin, saved, *steps, *end],
            effects,
            following=(*following, "outbox-kit verify"),
        )

    def _reset_effect(self, before: Registered) -> str:
        outbox, mode = self.delivery.outbox, before.config.get("snapshot.mode", "initial")
        slot = self.delivery.slots is not None
        if mode.startswith("no_data") or outbox.table.storage == "log":
            if slot:
                return (
                    "the connector continues at the confirmed position of its replication slot: the events of one "
                    "transaction may be published again"
                )
            return (
                f"snapshot.mode is {mode}: events that were committed after the stored offset and before the connector "
                "runs again are never published"
            )
        return (
            f"snapshot.mode is {mode}: every row that the table still has is published again, with the same event ids, "
            "after newer events of their keys"
        )

    def _restore_effect(self, old: Sequence[Entry], entries: Sequence[Entry]) -> str:
        now, then = (
            max((self.delivery.probe.position(each["offset"]) or 0 for each in several if each["offset"]), default=0)
            for several in (old, entries)
        )
        if not now:
            return "the connector continues at the restored offset; what it had published after it is published again"
        if then > now:
            return "the events between the stored offset and the restored one are never published"
        return "the events between the restored offset and the stored one are published again, with the same event ids"

    def _set_step(self, entries: Sequence[Entry]) -> Step:
        shown = "; ".join(json.dumps(entry["offset"]) for entry in entries)
        return Step("set-offsets", f"store {shown}", lambda: self._set(entries))

    def _save(self) -> None:
        entries = self.delivery.workers.offsets(self.delivery.name)
        self.report(f"saved the stored offsets in '{self.save(entries)}': outbox-kit offsets restore restores them")

    def _reset(self) -> None:
        workers, name = self.delivery.workers, self.delivery.name
        workers.reset_offsets(name)
        if not shows_offsets(workers, name, lambda stored: not stored, time.monotonic() + SHOWN_SECONDS):
            raise ConnectRefused(f"the stored offsets of '{name}' were not deleted", where=workers.url, fix=SEE)
        self.report("deleted the stored offsets")

    def _set(self, entries: Sequence[Entry]) -> None:
        workers, name = self.delivery.workers, self.delivery.name
        if flaws := self.flaws(entries):  # the slot may have moved on until the connector had stopped
            raise ConnectRefused(f"the offsets of '{name}' were not changed", why="; ".join(flaws), fix=SEE)
        store_offsets(workers, name, entries, time.monotonic() + SHOWN_SECONDS, SEE)
        self.report("stored the offsets")


def entries_of(document: Any, name: str) -> list[Entry]:
    """The offsets of a file, as `offsets show` and Kafka Connect write them. Raises BadConfigFile."""
    entries = document.get("offsets") if isinstance(document, Mapping) else None
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise BadConfigFile(
            f"'{name}' has no stored offsets: expected an object with a list 'offsets'",
            fix="write such a file: outbox-kit offsets show --out FILE",
        )
    return [{"partition": entry.get("partition"), "offset": entry.get("offset")} for entry in entries]
