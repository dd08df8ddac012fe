"""Values of JSON and of YAML with their places, and the connectors among them. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import engine, operator, pulsar, server
from outbox_kit.lint.document import Document, Entry, document
from outbox_kit.lint.excerpt import Excerpt, joined
from outbox_kit.lint.format import Nested
from outbox_kit.lint.nodes import Items, Members, Node, TextValue
from outbox_kit.lint.request import Body, ConnectRequest, path_of
from outbox_kit.lint.words import names_connector
from outbox_kit.router import options

DEEPEST = 60
STRIMZI, OPERATOR, CONFLUENT = "KafkaConnector", "DebeziumServer", "Connector"
"""Resources of Kubernetes with a connector, by their kinds."""
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation with a copy of the whole object."""
OF_SHELL = lazy_pattern(r"\s*(?:%%(?:bash|sh)\b|!)")
"""What begins a cell of a notebook that a shell runs."""
CLUSTER = "strimzi.io/cluster"
"""The label that names the cluster of Kafka Connect."""
OF_CURL = lazy_pattern(r"\A\s*(?:-d|--data(?:-raw|-binary)?=?|--json=?)\s*(?=\{)")
"""The option of curl before its argument, where both are one entry of a list."""
CURL_IMAGE = lazy_pattern(r"(?:\S*/)?curl(?:[:@]\S*)?")
"""Images that run curl with the words of their command."""
OF_SCHEMA = ("const", "enum", "oneOf", "anyOf", "type", "$ref")
"""Members of which a JSON Schema has one."""
CLASSES = ("class", "connectorClass")
"""What the class is called that stands beside a config."""
SPECIFIED = {"class": "connector.class", "tasksMax": "tasks.max"}
"""What Strimzi puts into the config."""
OF_CONNECTOR = lazy_pattern(r"connector\.class|transforms(\..+)?|topic\.prefix|(database|mongodb)\..+")
OF_WHOLE = lazy_pattern(r"connector\.class|name$|topic\.prefix|database\.|mongodb\.|tasks\.max")
"""Options of which a config has one, if it is more than the transformations of a connector."""
OF_CLASS = lazy_pattern(r"(?:\w+\.){2,}\w+Connector")
"""A class that stands beside the config."""
COMPUTED = lazy_pattern(r"\$\([^()]*\)")
"""A name that a template puts in."""
OF_SETTINGS = lazy_pattern(r"/debezium/conf(?:ig)?(?=[/:]|$)|/application\.properties\b")
"""Where Debezium Server looks for its settings."""
FROM_ELSEWHERE = ("envFrom", "env_file")
"""What gives a container variables that the file does not show."""


@dataclass(frozen=True)
class Tree:
    """The values of a text."""

    excerpt: Excerpt
    root: Node
    kind: str
    """Of its configs: json or yaml."""
    nested: Nested

    def documents(self) -> Iterator[Document]:
        """The connectors, wherever they are: alone, under `config`, in a list, in a map of names, in a text."""
        documents = list(self._documents(self.root, 0))
        if len(documents) == 1 and (body := self._body()):
            documents = [replace(documents[0], body=body)]
        yield from documents

    def _body(self) -> Body | None:
        """The text as the body of a request; None if it is none."""
        root = self.root
        if isinstance(root, Items):
            return Body(listed=True)
        if not isinstance(root, Members) or root.partial:
            return None
        spots = {key.text: self.excerpt.spot(key.at) for key, _ in root.pairs}
        if not isinstance(config := root.get("config"), Members) or not _is_config(config):
            return Body(spots=spots) if root.get("connector.class") is not None else None
        others = {name: root.text(name) or "" for name in spots if name not in ("name", "config")}
        return Body(wrapped=True, others=others, spots=spots)

    def _documents(self, node: Node, depth: int) -> Iterator[Document]:
        if depth > DEEPEST:
            return
        if isinstance(node, TextValue):
            if names_connector(node.text):
                yield from self.nested(node.excerpt.replaced(OF_CURL, lambda _: ""), "")
            return
        if isinstance(node, Items):
            yield from self._of_items(node, depth)
            return
        config = self._config(node)
        if config is not None:
            yield config
            return
        if (kind := node.text("cell_type")) is not None:
            yield from self._of_cell(kind, node.get("source"))
            return
        command = node.get("command") if node.get("entrypoint") is None else None
        runs_curl = isinstance(command, TextValue) and CURL_IMAGE.fullmatch(node.text("image") or "")
        if isinstance(command, TextValue) and runs_curl:
            yield from self.nested(_as_curl(command.excerpt), "")
        request = _request(node)
        supplemented = any(node.get(name) is not None for name in FROM_ELSEWHERE) or _mounts_settings(node)
        for key, value in node.pairs:
            is_read = key.text != LAST_APPLIED and not (runs_curl and value is command)
            for each in self._documents(value, depth + 1) if is_read else ():
                sent = replace(each, request=request) if request else each
                yield replace(sent, supplemented=True) if supplemented and sent.settings else sent

    def _of_items(self, node: Items, depth: int) -> Iterator[Document]:
        if environment := list(_environment_list(node)):
            yield self._of_server(environment)
        elif pairs := list(_assignments(node)):
            yield document(self.kind, None, pairs, self.excerpt)
        else:
            for item in node.items:
                yield from self._documents(item, depth + 1)

    def _of_cell(self, kind: str, source: Node | None) -> Iterator[Document]:
        """The connectors in a cell of a notebook; what it printed when it was run is no config."""
        lines = source.items if isinstance(source, Items) else [source]
        texts = [line.excerpt for line in lines if isinstance(line, TextValue)]
        text = joined(texts) if texts else None
        if text and names_connector(text.text):
            of_code = ".sh" if OF_SHELL.match(text.text) else ".py"
            yield from self.nested(text, ".md" if kind == "markdown" else of_code)

    def _config(self, node: Members) -> Document | None:
        """The config that an object is; None if it is none."""
        of_msk, config = node.get("connectorConfiguration"), node.get("config")
        if node.text("kind") == STRIMZI:
            return self._resource(node) if node.get("spec") is not None else None
        if node.text("kind") == CONFLUENT and isinstance(node.members("spec").get("configs"), Members):
            spec = node.members("spec")
            name = node.members("metadata").text("name")
            return self._config_of(name, _with_class(spec, spec.members("configs")))
        if node.text("kind") == OPERATOR:
            environment = node.members("spec").members("runtime").members("environment")
            return replace(self._of_server(operator.settings(node)), supplemented=environment.get("from") is not None)
        if isinstance(of_msk, Members):
            return self._config_of(node.text("connectorName"), of_msk)
        if isinstance(config, Members) and OF_CLASS.fullmatch(node.text("type") or ""):  # of Debezium's platform
            return replace(self._config_of(node.text("name"), _with_class(node, config, ("type",))), partial=True)
        if isinstance(config, Members) and (
            _is_config(config) or OF_CLASS.fullmatch(node.text("class") or node.text("connectorClass") or "")
        ):
            read = self._config_of(node.text("name"), _with_class(node, config))
            return self._of_values(read, config) if self.kind == "yaml" and read.odd else read
        if source := pulsar.connector_class(node.text("archive") or node.text("className") or ""):
            return self._of_pulsar(node, source)
        if isinstance(node.members("debezium").get("source"), Members):
            quoted = tuple(key for key in node.paths_with_dots() if key.startswith("debezium."))
            return replace(self._of_server(node.flattened()), quoted=quoted)  # as Quarkus reads YAML
        if node.members("connector").text("class") in options.connectors():  # as Spring binds names to maps
            return self._of_spring(node)
        names_class = any(key.text == "connector.class" or key.text.startswith("transforms.") for key, _ in node.pairs)
        if names_class and not _describes_values(node.members("connector.class")):
            read = self._config_of(node.text("name"), node)
            return replace(read, partial=read.partial or not any(OF_WHOLE.match(key) for key in read.config))
        variables = [(key.text, value, key.at) for key, value in node.pairs if isinstance(value, TextValue)]
        if server.runs(key for key, _, _ in variables):
            return self._of_server(Entry(key, value.text, at) for key, value, at in variables)
        return None

    def _config_of(self, name: str | None, config: Members) -> Document:
        read = document(self.kind, name, entries(config), self.excerpt)
        return replace(read, partial=config.partial or _hides_names(read.config))

    def _of_values(self, read: Document, config: Members) -> Document:
        """The config with the options that the values of a chart have as maps, of which a template makes names."""
        maps = [(key, value) for key, value in config.pairs if isinstance(value, Members)]
        options_of_maps = Members(maps, config.at).flattened()
        within = document(self.kind, read.name, options_of_maps, self.excerpt)
        odd = {key: kind for key, kind in read.odd.items() if key not in {key.text for key, _ in maps}}
        plain = {key: value for key, value in read.config.items() if key in odd or key not in read.odd}
        return replace(read, config={**within.config, **plain}, spots={**within.spots, **read.spots}, odd=odd)

    def _of_spring(self, node: Members) -> Document:
        """The options in an application's map, without the names that a program has of its own."""
        entries_of_map = [replace(each, key=each.key.removeprefix("properties.")) for each in node.flattened()]
        shown = [each for each in entries_of_map if "-" not in each.key]
        return replace(engine.document(self.kind, shown, self.excerpt), partial=len(shown) < len(entries_of_map))

    def _of_pulsar(self, node: Members, class_name: str) -> Document:
        options = [entry for entry in entries(node.members("configs")) if entry.key not in pulsar.OWN]
        options.insert(0, Entry("connector.class", class_name, node.at))
        return pulsar.of_source(document(self.kind, node.text("name"), options, self.excerpt))

    def _resource(self, node: Members) -> Document:
        """Strimzi's resource."""
        spec = node.members("spec")
        config = spec.members("config")
        of_spec = [replace(entry, key=SPECIFIED[entry.key]) for entry in entries(spec) if entry.key in SPECIFIED]
        options = [*entries(config), *of_spec]
        name = node.members("metadata").text("name")
        is_patch = spec.get("class") is None and config.get("connector.class") is None
        labels = node.members("metadata").get("labels")
        return replace(
            document(self.kind, name, options, self.excerpt),
            partial=config.partial or is_patch or _hides_names(option.key for option in options),
            cluster=None if is_patch else _cluster(labels),
            state=spec.text("state") or ("paused" if spec.text("pause") == "true" else ""),
            ignored=tuple(option for option in SPECIFIED.values() if config.get(option) is not None),
        )

    def _of_server(self, environment: Iterable[Entry]) -> Document:
        return server.document(environment, self.excerpt)


def _mounts_settings(node: Members) -> bool:
    """Whether a container of Debezium Server gets a folder with settings that the file does not show."""
    for name in ("volumes", "volumeMounts"):
        mounted = node.get(name)
        for item in mounted.items if isinstance(mounted, Items) else ():
            target = item.text if isinstance(item, TextValue) else ""
            if isinstance(item, Members):
                target = item.text("mountPath") or item.text("target") or ""
            if OF_SETTINGS.search(target):
                return True
    return False


def _as_curl(command: Excerpt) -> Excerpt:
    """The command of a container as a shell has it: with the name of the program that the image runs."""
    begins = command.text.lstrip().startswith(("curl ", "sh ", "/bin/"))
    return command if begins else joined([command.text_at(0, "curl "), command])


def _hides_names(names: Iterable[str]) -> bool:
    """Whether a template puts in the names of some options."""
    return any(COMPUTED.fullmatch(name) for name in names)


def _cluster(labels: Node | None) -> str | None:
    """The cluster that the labels of a resource name; empty if they name none, None if they may be elsewhere."""
    if labels is None:
        return ""
    if not isinstance(labels, Members) or (labels.partial and labels.get(CLUSTER) is None):
        return None
    return labels.text(CLUSTER) or ""


def _describes_values(node: Members) -> bool:
    """Whether an object is a JSON Schema, such as that of an option in the schema of a form."""
    return any(node.get(name) is not None for name in OF_SCHEMA)


def _with_class(node: Members, config: Members, names: Collection[str] = CLASSES) -> Members:
    """A config with the class that stands beside it, as in the values of charts."""
    if config.get("connector.class") is not None:
        return config
    beside = [(key, value) for key, value in node.pairs if key.text in names]
    classes = ((replace(key, excerpt=key.excerpt.text_at(0, "connector.class")), value) for key, value in beside)
    return replace(config, pairs=[*classes, *config.pairs])


def _is_config(node: Members) -> bool:
    return any(OF_CONNECTOR.fullmatch(key.text) for key, _ in node.pairs)


def entries(node: Members) -> Iterator[Entry]:
    """The members of an object as the options of a config."""
    for key, value in node.pairs:
        if isinstance(value, TextValue):
            yield Entry(key.text, value.text, key.at)
        elif isinstance(value, Members):
            yield Entry(key.text, "", key.at, "an object")
        else:
            texts = [item.text for item in value.items if isinstance(item, TextValue)]
            yield Entry(key.text, ",".join(texts), key.at, "a list")


ASSIGNED = lazy_pattern(r"(?P<key>[\w.$-]+):?=(?P<value>.*)", re.DOTALL)


def _request(node: Members) -> ConnectRequest | None:
    """The request that an object of Postman's is, which sends its text with the type of JSON; None if it is none."""
    method, body = node.text("method"), node.members("body").text("raw")
    address = node.text("url") or node.members("url").text("raw") or ""
    return ConnectRequest(method, path_of(address)) if method and body else None


def _assignments(node: Items) -> Iterator[Entry]:
    """A connector's options in a list of `name=value`, such as the arguments of a client for HTTP."""
    texts = [item for item in node.items if isinstance(item, TextValue)]
    if any(item.text.startswith("connector.class=") for item in texts):
        for item in texts:
            if match := ASSIGNED.fullmatch(item.text):
                yield Entry(match["key"], match["value"], item.at)


def _environment_list(node: Items) -> Iterator[Entry]:
    """Debezium Server's variables in a list: of `NAME=value`, or of objects with `name` and `value`."""
    variables = list[Entry]()
    for item in node.items:
        if isinstance(item, TextValue) and "=" in item.text:
            name, _, value = item.text.partition("=")
            variables.append(Entry(name.strip(), value, item.at))
        elif isinstance(item, Members):
            content = "$(valueFrom)" if item.get("valueFrom") is not None else item.text("value")
            variables += [Entry(item.text("name") or "", content, item.at)] if content is not None else []
    if server.runs(entry.key for entry in variables):
        yield from variables
