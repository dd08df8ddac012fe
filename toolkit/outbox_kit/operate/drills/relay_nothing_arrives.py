"""The publication has lost the outbox table: the relay runs, and no event is published."""

from dataclasses import replace

from outbox_kit.operate.drills.nothing_arrives import DRILL as OF_CONNECTOR

DRILL = replace(OF_CONNECTOR, delivery="relay", steps=(1, 2, 3))
