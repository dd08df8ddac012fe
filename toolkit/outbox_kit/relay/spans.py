"""A span of each message that a relay publishes, as a child of the row's `traceparent`.

They are exported with OTLP over HTTP if the standard variables of OpenTelemetry name an endpoint, by a thread of its
own with a bounded queue: a collector that does not answer loses spans, and holds up no message. A message is published
with the headers that it has; consumers continue the trace of the row.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from outbox_kit import __version__, secret
from outbox_kit.deadline import answered
from outbox_kit.errors import OutboxKitError
from outbox_kit.relay.interface import SendResult, SendStatus, Sink
from outbox_kit.router.chain import Message
from outbox_kit.schema.model import Outbox

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Tracer

ENDPOINT, TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
HEADERS = ("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS")
PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
PROTOCOL = "http/protobuf"
TRACEPARENT, TRACESTATE, EVENT_ID = "traceparent", "tracestate", "id"
CLOSE_SECONDS = 5.0
REPORT_SECONDS = 60.0
MOST_CHARACTERS = 300
LIBRARY = "opentelemetry"


def is_on(environment: Mapping[str, str]) -> bool:
    """Whether the environment says that spans are to be exported."""
    endpoint = environment.get(TRACES_ENDPOINT) or environment.get(ENDPOINT)
    disabled = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    exporter = environment.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    return bool(endpoint) and not disabled and exporter in ("", "otlp")


@contextmanager
def spans(outbox: Outbox, sink: Sink, report: Callable[[str], None]) -> Iterator[Sink]:
    """The sink with spans for the length of a block, or the sink itself if none are wanted.

    report: takes a line about why there are no spans, or why they are not exported.
    """
    if not is_on(os.environ):
        yield sink
        return
    protocol = next((os.environ[name] for name in PROTOCOLS if os.environ.get(name)), PROTOCOL)
    if protocol.strip().lower() != PROTOCOL:
        report(f"no traces: invalid OTEL_EXPORTER_OTLP_PROTOCOL '{protocol}': expected {PROTOCOL}")
        yield sink
        return
    try:
        provider = _provider(outbox, report)
    except ModuleNotFoundError:
        report("no traces: the library is not installed: pip install 'outbox-kit[tracing]'")
        yield sink
        return
    except (ValueError, OSError) as cause:  # of a variable
        report(f"no traces: invalid variable of OpenTelemetry: {secret.hidden(str(cause))}")
        yield sink
        return
    try:
        yield TracedSink(outbox, sink, provider.get_tracer("outbox-kit", __version__))
    finally:
        try:
            answered(provider.shutdown, CLOSE_SECONDS)
        except TimeoutError:
            report(f"the collector of traces has not answered in {CLOSE_SECONDS:.0f} s: the last spans are lost")


class TracedSink:
    """See `Sink`: a span from the moment a message is taken to its acknowledgement or refusal."""

    def __init__(self, outbox: Outbox, sink: Sink, tracer: "Tracer") -> None:
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, Status, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._sink, self._tracer = sink, tracer
        self._kind, self._failed = SpanKind.PRODUCER, Status(StatusCode.ERROR)
        self._extract, self._root = TraceContextTextMapPropagator().extract, Context()
        self._system = outbox.delivery.sink
        exchange = "amq.topic" if outbox.delivery.exchange is None else outbox.delivery.exchange
        self._prefix = f"{exchange}:" if self._system == "rabbitmq" and exchange else ""
        self._sent: dict[Any, tuple[int, Message]] = {}

    def send(self, message: Message, receipt: Any) -> bool:
        """See `Sink`."""
        begun = time.time_ns()
        if not self._sink.send(message, receipt):
            return False
        self._sent[receipt] = begun, message
        return True

    def results(self, seconds: float) -> Sequence[SendResult]:
        """See `Sink`."""
        results = self._sink.results(seconds)
        if results:
            ended = time.time_ns()
            for receipt, status, _ in results:
                begun, message = self._sent.pop(receipt)
                if status is not SendStatus.unsent:  # it is sent again
                    self._record(message, status, begun, ended)
        return results

    @property
    def problem(self) -> str:
        """See `Sink`."""
        return self._sink.problem

    def refusal(self) -> OutboxKitError | None:
        """See `Sink`."""
        return self._sink.refusal()

    def close(self) -> None:
        """See `Sink`."""
        self._sent.clear()
        self._sink.close()

    def _record(self, message: Message, status: SendStatus, begun: int, ended: int) -> None:
        """Make the span of a message. begun, ended: nanoseconds since 1970."""
        destination = f"{self._prefix}{message.topic}"
        span = self._tracer.start_span(
            f"send {destination}", self._parent(message), self._kind, start_time=min(begun, ended)
        )
        if span.is_recording():
            span.set_attributes(self._attributes(message, destination))
            if status is not SendStatus.delivered:
                span.set_attribute("error.type", status.value)
                span.set_status(self._failed)
        span.end(ended)

    def _parent(self, message: Message) -> "Context":
        """The context of the row; an empty one, which begins a trace, if the row has none or an invalid one."""
        carrier = {name: values[0] for name in (TRACEPARENT, TRACESTATE) if len(values := _texts(message, name)) == 1}
        return self._extract(carrier, self._root) if TRACEPARENT in carrier else self._root

    def _attributes(self, message: Message, destination: str) -> dict[str, str | int]:
        """After OpenTelemetry's semantic conventions for messaging; nothing of what the event says, nor its key."""
        attributes: dict[str, str | int] = {
            "messaging.system": self._system,
            "messaging.operation.name": "send",
            "messaging.operation.type": "send",
            "messaging.destination.name": destination,
            "messaging.message.body.size": len(message.value or b""),
        }
        if message.partition is not None:
            attributes["messaging.destination.partition.id"] = str(message.partition)
        for event_id in _texts(message, EVENT_ID):
            attributes["messaging.message.id"] = event_id
        return attributes


class _Reports(logging.Handler):
    """Reports what the library logs, once a minute at most."""

    def __init__(self, report: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._report, self._next = report, 0.0

    def emit(self, record: logging.LogRecord) -> None:
        """Report a record."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + REPORT_SECONDS
            text = " ".join(record.getMessage().split())
            self._report(f"traces: {secret.hidden(text)[:MOST_CHARACTERS]}")


def _provider(outbox: Outbox, report: Callable[[str], None]) -> Any:
    """What makes and exports spans, after the variables of OpenTelemetry. Raises ModuleNotFoundError."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    for name in HEADERS:
        secret.remember(os.environ.get(name, ""))
    for name in (ENDPOINT, TRACES_ENDPOINT):
        secret.remember_address(os.environ.get(name, ""))
    logger = logging.getLogger(LIBRARY)
    logger.handlers, logger.propagate = [_Reports(report)], False
    resource = Resource.create()
    if str(resource.attributes.get("service.name", "")).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": f"{outbox.service}-relay"}))
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _texts(message: Message, name: str) -> list[str]:
    """The values of a header, as texts."""
    return [(value or b"").decode(errors="replace") for header, value in message.headers if header == name]
