"""Which settings file holds for a file: the nearest one above it, as other linters have it."""

from dataclasses import replace
from pathlib import Path

from outbox_kit.errors import BadConfigFile
from outbox_kit.findings.policy import Policy
from outbox_kit.lint.settings import FileSettings, settings
from outbox_kit.textfile import TooLarge, content

OWN_NAME = ".outbox-kit.toml"
NAMES = (OWN_NAME, "pyproject.toml")
"""The first one that is there and has settings holds."""
END = ".git"
"""What the root folder of a repository has: no file above it is read."""


class SettingsFiles:
    """The settings files of a run; each is read once."""

    def __init__(self, file: Path | None = None, *, isolated: bool = False) -> None:
        """file: the only settings file of the run, whose patterns are relative to the working folder.

        isolated: no file is read. Raises BadConfigFile for a bad file.
        """
        self._by_folder: dict[Path, FileSettings] = {}
        self._only: FileSettings | None = None
        if isolated:
            self._only = FileSettings()
        elif file is not None:
            named_settings = _read(_absolute(file)) or FileSettings(file=_absolute(file))
            self._only = replace(named_settings, root=Path().resolve())

    def of(self, path: Path) -> FileSettings:
        """The settings that hold for a file. Raises BadConfigFile for a settings file that cannot be read."""
        return self.of_folder(_absolute(path).parent)

    def of_folder(self, folder: Path) -> FileSettings:
        """The settings that hold in a folder. Raises BadConfigFile for a settings file that cannot be read."""
        return self._only or self._in(folder.resolve())

    def _in(self, folder: Path) -> FileSettings:
        if folder not in self._by_folder:
            self._by_folder[folder] = self._searched(folder)
        return self._by_folder[folder]

    def _searched(self, folder: Path) -> FileSettings:
        for name in NAMES:
            file = folder / name
            if file.is_file() and (parsed := _read(file)):
                return parsed
        at_end = folder.parent == folder or (folder / END).exists()
        return FileSettings() if at_end else self._in(folder.parent)

    def excluded(self, path: Path) -> bool:
        """Whether a run over a folder leaves a file out, by the settings that hold for it."""
        return self.of(path).excluded(_absolute(path))

    def policy_of(self, path: Path) -> Policy:
        """How findings of a file count, by the settings that hold for it."""
        return self.of(path).policy(_absolute(path))


def _absolute(path: Path) -> Path:
    """The path from the root; a file that is a link stays where the link is."""
    return path.parent.resolve() / path.name


def shown(file: Path) -> str:
    """A file's name in messages: seen from the working folder where it is in it."""
    folder = Path().resolve()
    return str(file.relative_to(folder) if file.is_relative_to(folder) else file)


def _read(file: Path) -> FileSettings | None:
    try:
        return settings(content(file), file, shown(file))
    except FileNotFoundError:
        raise BadConfigFile(f"no file '{shown(file)}'", fix="name a settings file, or leave out --config") from None
    except (OSError, UnicodeDecodeError, TooLarge) as cause:
        raise BadConfigFile(f"'{shown(file)}' cannot be read", why=str(cause)) from None
