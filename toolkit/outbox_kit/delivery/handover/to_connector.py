"""From a relay to a connector: have the connector begin where the relay has ended, and prove that it publishes."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from outbox_kit.databases.failures import FailureCounts
from outbox_kit.delivery.debezium import proof
from outbox_kit.delivery.debezium.stopped import slot_reader
from outbox_kit.delivery.handover.connector_start import ConnectorStart
from outbox_kit.delivery.handover.state import POLL_SECONDS, HandOverState, observe
from outbox_kit.delivery.handover.step import Step
from outbox_kit.delivery.slots import lsn
from outbox_kit.waiting import waiting_for


@dataclass(frozen=True)
class ToConnector(ConnectorStart):
    """See `HandOver`."""

    def observe(self) -> HandOverState:
        """What is there now. Raises WrongDatabase, UsageProblem, EnvironmentProblem."""
        return observe(self.delivery)

    def refuse(self, state: HandOverState) -> None:
        """Raise UnsafeChange, DatabaseRefused or ConnectorUnhealthy if it is not possible; nothing was changed."""
        proof.preflight(self.delivery)
        self.expect_none_failed(state.tables.failures)

    def steps(self, state: HandOverState) -> Sequence[Step]:
        """What is to be done; empty if the connector publishes. Raises ConfigRefused, UnsafeChange."""
        if state.status.running and state.connector_reads:
            return []
        registered = state.config is not None
        steps = [self.stop_step()] if registered and not state.stopped else []
        if state.reader is not None and (state.relay_reads or not steps):
            text = f"wait until the relay has stopped; now {state.reader} reads replication slot '{self.slot_name}'"
            steps.append(Step("await-relay", text, self._await_relay))
        steps += self.config_steps(registered=registered)
        if state.reader is not None or state.reached is None or state.reached < state.slot.confirmed:
            now = f"LSN {lsn(state.slot.confirmed)}" + (" now" if state.reader is not None else "")
            text = f"set its stored offset to the position that the relay has confirmed ({now})"
            steps.append(Step("set-offset", text, self.set_offset))
        return [*steps, self.resume_step()]

    def _await_relay(self) -> None:
        deadline = self.relay_deadline()
        with waiting_for(f"the relay to release replication slot '{self.slot_name}'"):
            while reader := slot_reader(self.delivery):
                if time.monotonic() > deadline:
                    raise self.in_use(reader)
                time.sleep(POLL_SECONDS)
        self.report(f"replication slot '{self.slot_name}' is free")
        self.expect_none_failed(self._failures())

    def _failures(self) -> FailureCounts | None:
        return self.log.relay_tables(self.delivery.address, self.delivery.outbox).failures
