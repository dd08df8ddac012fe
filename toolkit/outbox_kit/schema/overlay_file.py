"""The file of an overlay beside its schema file, such as `outbox.prod.yaml` beside `outbox.yaml`."""

import glob
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml.error import YAMLError

from outbox_kit.errors import BadSchemaFile
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.schema import yaml
from outbox_kit.schema.layers import CHANGEABLE, NAME

NAMED = lazy_pattern(rf"(?P<stem>.+)\.(?P<env>{NAME.pattern})")
SUFFIXES = (".yaml", ".yml", ".json")


def overlay_files(path: Path) -> dict[str, Path]:
    """The files of overlays beside a schema file, by environment."""
    try:
        files = sorted(path.parent.glob(f"{glob.escape(path.stem)}.*{glob.escape(path.suffix)}"))
    except OSError:
        return {}
    names = ((file.name[len(path.stem) + 1 : len(file.name) - len(path.suffix)], file) for file in files)
    return {name: file for name, file in names if NAME.fullmatch(name)}


def refuse_overlay(path: Path, documents: Sequence[Any]) -> None:
    """Raise BadSchemaFile if a file is an overlay: by its name, and because it has sections of an overlay only.

    documents: what the file contains.
    """
    match = NAMED.fullmatch(path.stem)
    if match is None or path.suffix not in SUFFIXES or not documents or not all(map(_is_overlay, documents)):
        return
    schema, env = path.with_name(f"{match['stem']}{path.suffix}"), match["env"]
    what = f"'{path}' is the overlay of environment '{env}', not a schema file"
    if not schema.is_file():
        if any("service" in document for document in documents):
            return  # rather an unfinished schema file
        why = f"it has sections of an overlay only, and its schema file '{schema}' does not exist"
        raise BadSchemaFile(what, why=why, fix="name the overlay after its schema file, in the same folder")
    fix = f"name the schema file and the environment: outbox-kit check {shlex.quote(str(schema))} --env {env}"
    raise BadSchemaFile(what, why=f"it changes sections of '{schema}'", fix=fix)


def refuse_overlay_text(path: Path, text: str) -> None:
    """The same for the text of a file that may be anything. Raises BadSchemaFile."""
    if NAMED.fullmatch(path.stem) is None or path.suffix not in SUFFIXES:
        return
    try:
        documents = [document for document in yaml.loaded(text) if document is not None]
    except (YAMLError, RecursionError):
        return
    refuse_overlay(path, documents)


def _is_overlay(document: Any) -> bool:
    return isinstance(document, dict) and bool(document) and document.keys() <= {*CHANGEABLE, "service"}
