"""How a client is let into a cluster: the properties file that Kafka's own tools take with --command-config.

It may be written in Kafka's names or in librdkafka's, which are the same for most that such a file holds; `${env:NAME}`
is an environment variable, as it is for Kafka Connect.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from outbox_kit.errors import BadConfigFile
from outbox_kit.properties import properties
from outbox_kit.secret import Secret, names_secret, revealed
from outbox_kit.textfile import content

PROGRAM = re.compile(r"_cb$|^on_|^logger$|^default\.topic\.config$")  # the client takes functions or objects for them
REFERENCE = re.compile(r"\$\{env:([^}]*)\}")
LOGIN_MODULE = "sasl.jaas.config"
CREDENTIAL = re.compile(r"""\b(username|password)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')""")


Settings = Mapping[str, str | Secret]


def settings(path: Path | None) -> dict[str, str | Secret]:
    """A file's settings, with the variables they refer to; none without a file. Raises BadConfigFile.

    What a name says is a secret, and what came from the environment, is a `Secret`.
    """
    if path is None:
        return {}
    try:
        text = content(path)
    except (OSError, ValueError) as cause:
        why = getattr(cause, "strerror", None) or str(cause)
        fix = "name a file of Kafka client properties: --kafka-config FILE"
        raise BadConfigFile(f"'{path}' cannot be read", why=why, fix=fix) from None
    client_settings: dict[str, str | Secret] = {}
    for name, value, line, column in properties(text):
        if PROGRAM.search(name):
            location = f"{path}:{line}:{column}"
            raise BadConfigFile(f"'{name}' is a setting of programs, not of files", where=location, fix="remove it")
        for variable in REFERENCE.findall(value):
            if variable not in os.environ:
                location = f"{path}:{line}:{column}"
                raise BadConfigFile(f"'{variable}' is not set", where=location, fix=f"export {variable}=...")
        resolved = REFERENCE.sub(lambda match: os.environ[match[1]], value)
        client_settings[name] = Secret(resolved) if names_secret(name, unknown=True) else resolved
    return client_settings


def native(settings: Settings) -> dict[str, str]:
    """Settings as librdkafka takes them: user and password by themselves, where a login module holds them."""
    revealed_settings = {name: revealed(value) for name, value in settings.items()}
    for name, double, single in CREDENTIAL.findall(revealed_settings.pop(LOGIN_MODULE, "")):
        value = re.sub(r"\\(.)", r"\1", double or single)
        revealed_settings[f"sasl.{name}"] = Secret(value).reveal() if name == "password" else value
    return revealed_settings
