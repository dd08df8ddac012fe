"""`python -m tests.bench.router`: rows a second of the model, beside the real router in a JVM, for the same plain row.

The real one is called by Java's own streams, so that no bridge from Python is in its figure, and has warm-up rounds.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import jpype

from outbox_kit.router.chain import EVENT_ROUTER, Chain
from outbox_kit.router.convert import STORAGE
from outbox_kit.router.route import EventRouter
from outbox_kit.router.values import SourceRecord
from outbox_kit.versions import Version
from tests.support.jvm import java_map, made, source_record, start
from tests.support.rows import row

ROWS = 200_000
CALLS = 20  # so that what a stream gathers stays small
ROUNDS = 7
LINE = "3.6.1.Final"
OPTIONS = {"table.fields.additional.placement": "type:header:eventType,aggregatetype:header:aggregateType"}


def model(step: Callable[[SourceRecord], Any]) -> Callable[[], None]:
    """So many rows through a step of the model."""
    record = row()

    def work() -> None:
        for _ in range(ROWS):
            step(record)

    return work


def real() -> Callable[[], None]:
    """So many rows through the real router, in a Java stream.

    Each row is a record of its own: the router adds its headers to the record that it is given.
    """
    router = made(EVENT_ROUTER, LINE)
    router.configure(java_map(OPTIONS))
    given = source_record(row())
    invoke = "java.lang.invoke."
    handles, kinds = jpype.JClass(f"{invoke}MethodHandles"), jpype.JClass(f"{invoke}MethodType")
    record = jpype.JClass("org.apache.kafka.connect.connector.ConnectRecord").class_
    again = next(m for m in record.getMethods() if m.getName() == "newRecord" and m.getParameterCount() == 7)
    parts = [given.topic(), None, None, None, given.valueSchema(), given.value(), None]
    fresh = handles.insertArguments(handles.publicLookup().unreflect(again), 1, *parts)
    apply = handles.publicLookup().findVirtual(router.getClass(), "apply", kinds.methodType(record, record))
    function = jpype.JClass(f"{invoke}MethodHandleProxies").asInterfaceInstance(
        jpype.JClass("java.util.function.Function").class_, handles.filterReturnValue(fresh, apply.bindTo(router))
    )
    rows = jpype.JClass("java.util.Collections").nCopies(ROWS // CALLS, given)

    def work() -> None:
        for _ in range(CALLS):
            rows.stream().map(function).toArray()

    return work


def main() -> None:
    """Print the rates, taken in turn, and their ratios."""
    start("-Xmx2g")  # with all its compilers, unlike in the tests
    config = {
        "transforms": "outbox",
        "transforms.outbox.type": EVENT_ROUTER,
        **{f"transforms.outbox.{name}": value for name, value in OPTIONS.items()},
        "key.converter": f"{STORAGE}StringConverter",
        "value.converter": f"{STORAGE}StringConverter",
    }
    sides = {
        "real router": real(),
        "model": model(EventRouter(OPTIONS, Version.of(LINE)).apply),
        "model, with converters to bytes": model(Chain(config, Version.of(LINE)).send),
    }
    rates: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, work in sides.items():
            began = time.perf_counter()
            work()
            rates[side].append(ROWS / (time.perf_counter() - began))
    medians = {side: statistics.median(taken[2:]) for side, taken in rates.items()}
    for side, median in medians.items():
        print(f"{side:<32} {median:10,.0f} rows/s   {median / medians['real router']:.2f}")


if __name__ == "__main__":
    main()
