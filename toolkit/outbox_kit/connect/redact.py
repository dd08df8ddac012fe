"""Take secrets out of what a Connect worker says.

Connect resolves `${...}` references and then repeats the resolved values in errors and traces (KAFKA-5117;
strimzi#6911). We never know the value, so what is taken out is found by where it stands. Values that are known, because
a config has them as they are, are taken out wherever they stand.
"""

import re
from collections.abc import Mapping

from outbox_kit import secret
from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router import options
from outbox_kit.secret import HIDDEN

_SECRET = rf"[\w.\-]{{0,100}}(?:{secret.WORDS})[\w.\-]{{0,100}}"
_HIDDEN = re.escape(HIDDEN)
HEAD, TAIL = 20_000, 60_000  # characters of a text that are looked at; of a trace the end says most
_IN_QUOTES = lazy_pattern(rf"(?i)(\"?{_SECRET}\"?\s*[:=]\s*)(\"[^\"]*\"|'[^']*')")
_BARE = lazy_pattern(rf"(?i)(\b{_SECRET}\s*[:=]\s*)(?!{_HIDDEN})[^,;}}\])\s\"']+")
_CONFIG_DUMP = lazy_pattern(r"(Connector config )\{.{0,20000}?\}(?= contains| is|$)", re.DOTALL)
_INVALID_VALUE = lazy_pattern(r"(Invalid value ).{0,20000}?( for configuration )([\w.\-]+)", re.DOTALL)
_USERINFO = lazy_pattern(r"(\w+://)[^/\s@]+@")


def is_secret(key: str, config: Mapping[str, str] | None = None) -> bool:
    """Whether a config's key holds a secret. config: the whole, which says whose option it is; by its name without."""
    return secret.names_secret(key) if config is None else options.holds_secret(config, key)


def remember(config: Mapping[str, str]) -> None:
    """Take the secrets of a config out of everything that is printed from now on; see `secret.remember`."""
    for key, value in config.items():
        if "${" not in value and is_secret(key, config):
            secret.remember(value)
        else:
            secret.remember_address(value)


def shortened(text: str) -> str:
    """A text of which the middle is left out where it is very long."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n...\n{text[-TAIL:]}"


def redact(text: str, config: dict[str, str] | None = None) -> str:
    """The text without secrets.

    config: what was submitted; a value is also hidden where its key was given as a `${...}` reference.
    """
    referenced = {key for key, value in (config or {}).items() if "${" in value}

    def invalid(match: re.Match[str]) -> str:
        hide = is_secret(match[3]) or match[3] in referenced
        return f"{match[1]}{HIDDEN}{match[2]}{match[3]}" if hide else match[0]

    text = _CONFIG_DUMP.sub(rf"\1{{{HIDDEN}}}", text)
    text = _INVALID_VALUE.sub(invalid, text)
    text = _IN_QUOTES.sub(rf"\1{HIDDEN}", text)
    text = _BARE.sub(rf"\1{HIDDEN}", text)
    return secret.hidden(_USERINFO.sub(rf"\1{HIDDEN}@", text))
