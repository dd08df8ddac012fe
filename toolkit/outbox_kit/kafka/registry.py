"""A Schema Registry: the documents that framed payloads are, by confluent-kafka's own deserialisers.

Each schema is asked for once. Needs the extra `registry`, and is loaded only where a registry is named.
"""

import os
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import orjson
from confluent_kafka.schema_registry import SchemaRegistryClient, dual_schema_id_deserializer
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.schema_registry.json_schema import JSONDeserializer
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import SerializationError
from google.protobuf.empty_pb2 import Empty
from google.protobuf.json_format import MessageToDict
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.unknown_fields import UnknownFieldSet
from jsonschema import ValidationError

from outbox_kit import address, deadline
from outbox_kit.errors import UsageProblem
from outbox_kit.kafka.frame import Fault, Unread, required
from outbox_kit.secret import Secret, remember_address, remember_basic

REQUEST_SECONDS = 10.0
LONGEST_BYTES = 16 << 20  # of an answer
TRIES = 2  # after the first
WAIT_MS = 200
NO_SUCH_SCHEMA = 40403  # the registry's own code; a 404 without it comes from another server
FINAL = {401, 403, 404}

NONE = (-1,)  # no message of any schema
Read = Callable[[bytes], Any]
Reads = Callable[[Any, Sequence[int]], Read]  # from a schema, and where in it the message is


class Registry:
    """The schemas of one registry, all of one kind: avro, protobuf or json."""

    def __init__(
        self, url: str, kind: str, *, user: str | None = None, password: str | None = None, token: str | None = None
    ) -> None:
        """url: its REST address, without credentials. Raises UsageProblem."""
        remember_address(url)
        if address.http(url) is None or "@" in url:
            raise UsageProblem(
                "invalid --registry",
                why="it contains credentials" if "@" in url else f"'{url}' is not http://HOST:PORT",
                fix="give http://HOST:PORT, and the credentials in OUTBOX_KIT_REGISTRY_USER and _PASSWORD, or _TOKEN",
            )
        settings: dict[str, Any] = {"url": url, "timeout": REQUEST_SECONDS, "max.retries": TRIES}
        settings["retries.wait.ms"] = WAIT_MS
        if token:
            # the client requires a cluster too, which only Confluent Cloud reads
            secret = Secret(token).reveal()
            bearer = {"credentials.source": "STATIC_TOKEN", "token": secret, "logical.cluster": ""}
            settings |= {f"bearer.auth.{name}": value for name, value in bearer.items()}
        elif user:
            remember_basic(user, password or "")
            settings["basic.auth.user.info"] = f"{user}:{password or ''}"
        self._client = _Client(settings)
        weakref.finalize(self, self._client.__exit__)  # its connections would outlive it
        conf = {"subject.name.strategy": _no_subject, "schema.id.deserializer": self._opened}
        self._kind, self._reads = kind.upper(), KINDS[kind](self._client, conf)
        self._schemas: dict[Any, Read | Unread] = {}
        self._body = BytesIO()
        self._silence = ""

    @classmethod
    def from_environment(cls, url: str, kind: str) -> "Registry":
        """Credentials from OUTBOX_KIT_REGISTRY_USER and _PASSWORD, or _TOKEN; a CA from SSL_CERT_FILE."""
        credentials = {
            key: os.environ.get(f"OUTBOX_KIT_REGISTRY_{key.upper()}") for key in ("user", "password", "token")
        }
        return cls(url, kind, **credentials)

    def document(self, value: bytes) -> Any:
        """What a framed payload says, as JSON has it. Raises Unread."""
        schema_id, frame = required(value), SchemaId(self._kind)
        with suppress(EOFError, SerializationError):  # its ids are there; a message that it does not name, is not
            frame.from_bytes(BytesIO(value))
        key = frame.id, frame.guid, *(frame.message_indexes or ())
        if key not in self._schemas:
            self._schemas[key] = self._reader(frame, schema_id)
        read = self._schemas[key]
        if isinstance(read, Unread):
            raise Unread(*read.args)
        try:
            document = read(value)
        except Unread:
            raise
        except Exception as cause:  # a wrong byte leads a decoder anywhere
            raise _unreadable(value, schema_id, cause) from None
        if self._body.read(1):
            raise Unread(Fault.unreadable, f"a document of {schema_id}", f"{len(value)} bytes, more than the document")
        return document

    def _reader(self, frame: Any, schema_id: str) -> Read | Unread:
        """What reads the payloads of a schema, or why there is nothing."""
        try:
            schema = self._schema(frame, schema_id)
            if schema.schema_type != self._kind:
                return Unread(Fault.unknown, f"a schema of {self._kind}", f"{schema_id}, of {schema.schema_type}")
            return self._reads(schema, frame.message_indexes or NONE)
        except Unread as fault:
            return fault
        except IndexError:
            return Unread(
                Fault.unreadable, f"a message of {schema_id}", "the number of a message that it does not have"
            )
        except Exception as cause:
            return Unread(Fault.silent, schema_id, f"a schema that cannot be used: {type(cause).__name__}")

    def _schema(self, frame: Any, schema_id: str) -> Any:
        if self._silence:
            raise Unread(Fault.silent, schema_id, self._silence)
        form = "serialized" if self._kind == "PROTOBUF" else None
        try:
            if frame.id is not None:
                return self._client.get_schema(frame.id, None, form)
            return self._client.get_schema_by_guid(str(frame.guid), form)
        except SchemaRegistryError as refusal:
            if refusal.error_code == NO_SUCH_SCHEMA:
                raise Unread(Fault.unknown, "a schema that exists in the registry", schema_id) from None
            raise Unread(Fault.silent, schema_id, f"HTTP status {refusal.http_status_code} from the registry") from None
        except Exception as cause:  # its HTTP client's own; to wait as long for each schema would never end
            self._silence = f"no response from the registry: {type(cause).__name__}"
            raise Unread(Fault.silent, schema_id, self._silence) from None

    def _opened(self, value: bytes, context: Any, frame: Any) -> BytesIO:
        """The body of a framed payload. The result is cached: nothing follows the end of the payload."""
        self._body = dual_schema_id_deserializer(value, context, frame)
        return self._body


class _Bounded:
    """The client's HTTP session, whose answers end: in time, and in so many bytes. No redirect is followed."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def request(self, method: str, url: str, **options: Any) -> Any:
        """The whole answer. Raises TimeoutError, OutOfTime, TooLong, and what the session raises."""
        seconds = deadline.allowed(REQUEST_SECONDS)
        until = time.monotonic() + seconds

        def ask() -> Any:
            with self._session.stream(method, url, follow_redirects=False, timeout=seconds, **options) as answer:
                body = bytearray()
                for piece in answer.iter_bytes():
                    body += piece
                    if len(body) > LONGEST_BYTES:
                        raise AnswerTooLong
                    if time.monotonic() > until:
                        raise TimeoutError
                return type(answer)(answer.status_code, content=bytes(body), request=answer.request)

        return deadline.answered(ask, seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


class AnswerTooLong(Exception):
    """An answer without an end."""


class _Client(SchemaRegistryClient):
    """Takes a schema as it was registered if the registry has no serialized form of it, such as Apicurio."""

    def __init__(self, settings: dict[str, Any]) -> None:
        super().__init__(settings)
        self._rest_client.session = _Bounded(self._rest_client.session)  # type: ignore[assignment]

    def get_schema(self, schema_id: int, subject_name: str | None = None, fmt: str | None = None, *_: Any) -> Any:
        """See there."""
        return _in_some_form(super().get_schema, schema_id, subject_name, form=fmt)

    def get_schema_by_guid(self, guid: str, fmt: str | None = None) -> Any:
        """See there."""
        return _in_some_form(super().get_schema_by_guid, guid, form=fmt)

    def get_version(
        self, subject_name: str, version: int | str = "latest", deleted: bool = False, fmt: str | None = None
    ) -> Any:
        """See there."""
        return _in_some_form(super().get_version, subject_name, version, deleted, form=fmt)


def _in_some_form(ask: Callable[..., Any], *options: Any, form: str | None) -> Any:
    try:
        return ask(*options, form)
    except SchemaRegistryError as refusal:
        if form is None or refusal.http_status_code in FINAL:
            raise
        return ask(*options)


def _no_subject(*_: Any) -> None:
    """A schema is asked for by its id alone; a subject would only matter to rules."""


# The deserialisers would parse a schema with the first payload of it, and an error would not name the wrong one;
# hence their own parsing, here. The one of Protobuf requires generated classes, which do not exist here.


def _avro(client: Any, conf: dict[str, Any]) -> Reads:
    deserialiser = AvroDeserializer(client, conf=conf)

    def reads(schema: Any, _: Sequence[int]) -> Read:
        deserialiser._get_parsed_schema(schema)
        return lambda value: orjson.loads(orjson.dumps(deserialiser(value), default=_plain))

    return reads


def _plain(value: Any) -> str:
    """A logical type as text; bytes as Avro's own JSON has them."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _json(client: Any, conf: dict[str, Any]) -> Reads:
    deserialiser = JSONDeserializer(None, schema_registry_client=client, conf=conf)

    def reads(schema: Any, _: Sequence[int]) -> Read:
        deserialiser._get_parsed_schema(schema)
        read: Read = deserialiser
        return read

    return reads


def _protobuf(client: Any, conf: dict[str, Any]) -> Reads:
    nothing = ProtobufDeserializer(Empty, conf, client)

    def reads(schema: Any, indexes: Sequence[int]) -> Read:
        file, pool = nothing._get_parsed_schema(schema)
        described = _within(pool.FindFileByName(file.name), indexes)
        deserialiser = ProtobufDeserializer(GetMessageClass(described), conf, client)
        return lambda value: _document(deserialiser(value), pool)

    return reads


def _within(file: Any, indexes: Sequence[int]) -> Any:
    """A message of a file, by its number on each level. Raises IndexError."""
    if min(indexes) < 0:
        raise IndexError
    first, *inner = indexes
    message_type = list(file.message_types_by_name.values())[first]
    for index in inner:
        message_type = message_type.nested_types[index]
    return message_type


def _document(message: Any, pool: Any) -> Any:
    """A message in the JSON of Protobuf, where a number that was not set is zero."""
    if len(UnknownFieldSet(message)):
        raise UnknownField
    try:
        return MessageToDict(message, always_print_fields_with_no_presence=True, descriptor_pool=pool)
    except TypeError:
        raise Unread(Fault.silent, "types that the schema imports", "an Any of another type") from None


class UnknownField(Exception):
    """A body has what its own schema does not: another one wrote it."""


KINDS: dict[str, Callable[[Any, dict[str, Any]], Reads]] = {"avro": _avro, "json": _json, "protobuf": _protobuf}


def _unreadable(value: bytes, schema_id: str, cause: Exception) -> Unread:
    """What is wrong with a body, without what it says."""
    inner = cause.__context__ or cause
    if isinstance(inner, ValidationError):
        keep = "/".join(map(str, inner.absolute_schema_path))
        return Unread(
            Fault.broken,
            f"a document that is valid against {schema_id}",
            f"{keep} violated at /{'/'.join(map(str, inner.absolute_path))}",
        )
    description = f"{len(value)} bytes that are not one: {type(inner).__name__}"
    return Unread(Fault.unreadable, f"a document of {schema_id}", description)
