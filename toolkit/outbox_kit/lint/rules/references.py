"""Rules about references and variables in values: who replaces them, and with what."""

import re
from collections.abc import Iterator, Mapping

from outbox_kit.findings.rule import Severity
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import worker
from outbox_kit.lint.document import IN_PROGRAM, QUOTED
from outbox_kit.lint.placeholders import EXPANDED_REFERENCE, INVALID_VARIABLE
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject
from outbox_kit.router import javaregex
from outbox_kit.schema.nearest import closest

NEEDS_PATH = ("file", "directory", "secrets", "configmaps")
"""Config providers that read nothing without a path, by the names that they usually have."""
PROVIDER = lazy_pattern(r"\$\{(\w+):[^{}]+\}")
REFERENCES = lazy_pattern(r"\$\{(\w+):([^{}:]*)\}")
WITH_DEFAULT = lazy_pattern(r"\$\{(?:env|strimzienv):\w+:[^{}]*\}")
OF_PROGRAM = lazy_pattern(r"\$\{([a-z]\w*)\}")
VARIABLE = lazy_pattern(r"\$\{?[A-Z_][A-Z0-9_]+\}?")


@rule(
    "incomplete-reference",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="write ${provider:path:key}",
)
def incomplete_reference(subject: Subject) -> Iterator[Violation]:
    """Every reference to a config provider names a path and a key.

    Without the key it is not resolved: the connector gets the text of the reference itself, such as its password.
    """
    for key, value in subject.config.items():
        for provider, path in REFERENCES.findall(value):
            if provider in NEEDS_PATH:
                yield Violation(key, f"'${{{provider}:{path}}}' names no key: expected ${{{provider}:path:key}}")


@rule(
    "reference-with-default",
    Consequence.stop,
    severity=Severity.warning,
    of_names=True,
    evidence="O",
    fix="write ${env:NAME} alone",
)
def reference_with_default(subject: Subject) -> Iterator[Violation]:
    """A reference to a variable of the environment has the variable's name alone.

    What stands before a second colon is a path, which Kafka's EnvVarConfigProvider refuses: there are no default
    values. Providers of other products may take a path.
    """
    for key, value in subject.config.items():
        for reference in WITH_DEFAULT.findall(value) if key not in subject.document.settings else ():
            yield Violation(key, f"'{reference}' has a path, which the provider of variables refuses")


@rule(
    "reference-without-provider",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="add the provider to the worker: config.providers, and config.providers.<name>.class",
)
def reference_without_provider(subject: Subject) -> Iterator[Violation]:
    """The worker that the file shows has the config provider of every reference.

    Without it a reference is not resolved: the connector gets its text, such as for a password.
    """
    if "${" not in subject.text:
        return
    options, declared = worker.options(subject.text), worker.providers(subject.text)
    for key, value in subject.config.items() if options or declared else ():
        providers = PROVIDER.findall(value) if key not in subject.document.settings else ()
        for provider in providers:
            if declared is not None and provider not in declared:
                others = f", only {', '.join(sorted(declared))}" if declared else ""
                yield Violation(key, f"the worker in the file has no config provider '{provider}'{others}")
            elif provider.lower() != provider and provider in worker.providers_of_variables(subject.text):
                yield Violation(key, f"the image makes the variables of '{provider}' lower case: it has no class")
            elif options and f"config.providers.{provider}.class" not in options:
                yield Violation(key, f"the worker in the file has no config.providers.{provider}.class")
        if options:
            yield from _not_allowed(key, value, options)


def _not_allowed(key: str, value: str, options: Mapping[str, str]) -> Iterator[Violation]:
    """Variables of the environment that the worker does not give to its connectors."""
    for provider, name in REFERENCES.findall(value):
        allowed = options.get(f"config.providers.{provider}.param.allowlist.pattern", "")
        pattern = javaregex.compiled_or_none(allowed) if allowed else None
        if pattern and re.fullmatch(r"\w+", name) and not pattern.fullmatch(name):
            yield Violation(key, f"the worker in the file does not allow '{name}': its pattern is '{allowed}'")


OF_ENVIRONMENT = lazy_pattern(r"\$\{env:(?P<name>\w+)\}")
WORD = lazy_pattern(r"\w+")
ALIKE = 0.8
"""How similar the variable that a worker has must be to be meant."""


@rule(
    "variable-not-in-worker",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="correct the name, or give the worker the variable",
)
def variable_not_in_worker(subject: Subject) -> Iterator[Violation]:
    """The variable of a reference is one that the worker in the file has, if it has a similar one.

    What EnvVarConfigProvider does not find stays as it is: the connector gets the text of the reference.
    """
    if not worker.RESOURCE.search(subject.text) and not worker.TOPIC.search(subject.text):
        return
    words = sorted(set(WORD.findall(OF_ENVIRONMENT.sub("", subject.text))))
    for key, value in subject.config.items():
        for name in OF_ENVIRONMENT.findall(value) if "envFrom" not in subject.text else ():
            near = closest(name, [word for word in words if word.isupper() and "_" in word], ALIKE)
            if name not in words and near:
                yield Violation(key, f"nothing in the file has the variable '{name}'; did you mean '{near}'?")


@rule(
    "worker-forbids",
    Consequence.stop,
    of_names=True,
    evidence="N10",
    fix="change the worker, or remove the option",
)
def worker_forbids(subject: Subject) -> Iterator[Violation]:
    """The worker that the file shows allows what the connector demands.

    Kafka Connect rejects the connector.
    """
    options = worker.options(subject.text)
    if not options:
        return
    if subject.config.get("exactly.once.support", "").strip().lower() == "required":
        if options.get("exactly.once.source.support", "disabled").lower() == "disabled":
            yield Violation("exactly.once.support", "the worker in the file has no exactly.once.source.support")
    overrides = [key for key in subject.config if key.startswith("producer.override.")]
    if overrides and options.get("connector.client.config.override.policy", "All").lower() == "none":
        yield Violation(overrides[0], "the worker in the file forbids options of the producer")


DOUBLED = lazy_pattern(r"\$\$\{\w+:[^{}]+\}")


@rule("dollar-doubled", Consequence.stop, of_names=True, evidence="N08", fix="write one dollar sign")
def dollar_doubled(subject: Subject) -> Iterator[Violation]:
    """A reference to a config provider has one dollar sign.

    Kafka Connect has no escape for it: the first dollar sign stays before the value, such as of a password.
    """
    plain = subject.document.kind in ("json", "properties") and subject.document.expands in ("", QUOTED)
    for key, value in subject.config.items() if plain and not subject.document.settings else ():
        if DOUBLED.search(value):
            yield Violation(key, f"'{value}' has two dollar signs")


@rule(
    "reference-expanded",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="escape the dollar sign, or put the end of the here-document in quotes",
)
def reference_expanded(subject: Subject) -> Iterator[Violation]:
    """A reference to a config provider reaches the worker.

    The shell takes it for one of its variables and replaces it by an empty text.
    """
    for key, value in subject.config.items():
        if EXPANDED_REFERENCE in value:
            yield Violation(key, "the shell replaces the reference to a config provider")


SUFFIX = lazy_pattern(r"\w\$\((?:Key|Value)\)")


@rule(
    "class-suffix-expanded",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="escape the dollar sign, or put the end of the here-document in quotes",
)
def class_suffix_expanded(subject: Subject) -> Iterator[Violation]:
    """The name of a transformation's class keeps its end, such as `$Value`.

    What replaces variables around the config takes it for one and puts an empty text in its place: Kafka Connect
    rejects a class without it.
    """
    for key, value in subject.config.items():
        if key.startswith("transforms.") and key.endswith(".type") and SUFFIX.search(value):
            around = subject.document.expands or "a program"
            yield Violation(key, f"{around} replaces the end of the class as a variable")


@rule("dollar-in-compose", Consequence.stop, of_names=True, evidence="N08", fix="write two dollar signs")
def dollar_in_compose(subject: Subject) -> Iterator[Violation]:
    """A dollar sign in a file of Docker Compose begins a variable, or is doubled.

    Compose refuses the file: invalid interpolation format.
    """
    for key, value in {**subject.document.settings, **subject.config}.items():
        if INVALID_VARIABLE in value:
            yield Violation(key, "Docker Compose refuses a single dollar sign that begins no variable")
            return


@rule(
    "unfilled-variable",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="in a shell, end the single quotes around the variable; in a program, put the value in",
)
def unfilled_variable(subject: Subject) -> Iterator[Violation]:
    """No variable stands in single quotes, or in a plain text of a program.

    Nothing replaces it: the connector gets the text `${NAME}` itself.
    """
    expands = subject.document.expands
    consequence = Consequence.risk if expands == IN_PROGRAM else None  # another program may read what this one writes
    for key, value in subject.config.items() if expands in (QUOTED, IN_PROGRAM) else ():
        if match := VARIABLE.search(value):
            yield Violation(key, f"nothing replaces '{match[0]}' in {expands}", consequence=consequence)
    key = subject.router_key("route.topic.replacement")
    for name in OF_PROGRAM.findall(subject.config.get(key, "")) if expands == IN_PROGRAM else ():
        if name != "routedByValue" and f"(?<{name}>" not in (subject.effective("route.topic.regex") or ""):
            yield Violation(key, f"nothing replaces '${{{name}}}', and no group has this name", consequence=consequence)


DIRECTORY = lazy_pattern(r"\$\{dir(?:ectory)?:")
OF_FILES = (".location", ".sslrootcert", ".sslcert", ".sslkey", ".file", ".path", ".filename")
"""Ends of options whose value is the path of a file."""


@rule(
    "contents-as-path",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="write the path of the file itself",
)
def contents_as_path(subject: Subject) -> Iterator[Violation]:
    """An option that is the path of a file has no reference to its contents.

    DirectoryConfigProvider puts the contents of a file in place of its name: no file has such a name.
    """
    for key, value in subject.config.items():
        if key.endswith(OF_FILES) and DIRECTORY.match(value.strip()):
            yield Violation(key, f"'{key}' is a path, and the reference gives the contents of the file")


EVENT_HUBS = "$(ConnectionString)"


@rule(
    "event-hubs-user-expanded",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="escape the dollar sign: two of them in Docker Compose, a backslash in a shell",
)
def event_hubs_user_expanded(subject: Subject) -> Iterator[Violation]:
    """The user for Event Hubs is `$ConnectionString`, with its dollar sign.

    A shell and Docker Compose take it for a variable and put an empty text in its place: the login is refused.
    """
    for key, value in {**subject.document.settings, **subject.config}.items():
        if key.endswith("sasl.jaas.config") and EVENT_HUBS in value:
            yield Violation(key, "$ConnectionString is replaced as a variable before the client reads it")
            return
