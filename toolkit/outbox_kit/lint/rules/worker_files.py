"""Rules about the files that a connector reads in the container of its worker."""

import re
from collections.abc import Iterator
from posixpath import basename, dirname

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.lint import mounts, placeholders
from outbox_kit.lint.rule import Consequence, Violation, rule
from outbox_kit.lint.subject import Subject

FILE = lazy_pattern(r"\$\{(?P<provider>file|dir|directory):(?P<path>/[^:{}$]+):[^{}]+\}")
OPTIONS = (".sslrootcert", ".sslcert", ".sslkey", "truststore.location", "keystore.location", "keyfile")
"""Ends of options whose value is the path of a file that is there before the connector."""
FENCE = "```"
OF_SYSTEM = ("/etc/ssl/", "/etc/pki/", "/usr/", "/run/secrets/", "/var/run/secrets/", "/opt/java/")


@rule(
    "file-not-mounted",
    Consequence.stop,
    of_names=True,
    evidence="O",
    fix="mount the file into the worker's container, or name the path at which it is mounted",
)
def file_not_mounted(subject: Subject) -> Iterator[Violation]:
    """A file that the connector reads is in the container of its worker.

    A published image has no files of the user: what no volume brings is not there, and the connector does not start.
    """
    paths = {key: path for key, value in subject.config.items() if (path := _path(key, value))}
    mounted = mounts.folders(subject.text, mounts.WORKER) if paths else None
    is_excerpt = not mounted and FENCE in subject.text  # a page that shows no volume may leave them out
    for key, path in paths.items() if mounted is not None and not is_excerpt else ():
        if not mounts.covers(path, mounted or ()) and not _is_made(subject.text, path):
            yield Violation(key, f"no volume of the worker in the file holds '{path}'")


@rule(
    "folder-as-file",
    Consequence.stop,
    of_names=True,
    evidence="N08",
    fix="use DirectoryConfigProvider, or add the name of a properties file to the path",
)
def folder_as_file(subject: Subject) -> Iterator[Violation]:
    """FileConfigProvider reads a properties file.

    A volume of a secret is a folder with a file for each of its keys: the reference fails, and the connector with it.
    """
    for key, value in subject.config.items():
        reference = FILE.search(value)
        path = reference["path"] if reference and reference["provider"] == "file" else ""
        if path and "." not in basename(path) and path in mounts.pod_folders(subject.text):
            yield Violation(key, f"'{path}' is a folder with a file for each key of a secret")


def _path(key: str, value: str) -> str:
    """The file that an option names, or reads a value from; empty if it does not, or the file is of the system."""
    reference = FILE.search(value)
    is_file = key.endswith(OPTIONS) and not placeholders.is_open(key, value)
    path = reference["path"] if reference else value.strip() if is_file else ""
    return path if path.startswith("/") and not path.startswith(OF_SYSTEM) else ""


def _is_made(text: str, path: str) -> bool:
    """Whether another line than an option's has the folder of a file, such as one that copies or writes it."""
    folder = re.compile(rf"{re.escape(dirname(path))}(?![\w-])")
    options = ("${file:", "${dir", *OPTIONS)
    return any(folder.search(line) and not any(option in line for option in options) for line in text.splitlines())
