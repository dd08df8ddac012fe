"""Take secrets out of what a Connect worker says.

Connect resolves `${...}` references and then repeats the resolved values in errors and traces (KAFKA-5117;
strimzi#6911). We never know the value, so what is taken out is found by where it stands. Pure.
"""

import re

HIDDEN = "•••"

_SECRET = r"[\w.\-]*(?:password|passphrase|secret|token|credential|jaas)[\w.\-]*"  # noqa: S105 - what a secret's key looks like
_IN_QUOTES = re.compile(rf"(?i)(\"?{_SECRET}\"?\s*[:=]\s*)(\"[^\"]*\"|'[^']*')")
_BARE = re.compile(rf"(?i)(\b{_SECRET}\s*[:=]\s*)(?!{HIDDEN})[^,;}}\])\s\"']+")
_CONFIG_DUMP = re.compile(r"(Connector config )\{.*?\}(?= contains| is|$)", re.DOTALL)
_INVALID_VALUE = re.compile(r"(Invalid value ).*?( for configuration )([\w.\-]+)", re.DOTALL)
_USERINFO = re.compile(r"(\w+://)[^/\s@]+@")
_SECRET_KEY = re.compile(rf"(?i){_SECRET}")


def is_secret(key: str) -> bool:
    """Whether a config key holds a secret, by its name."""
    return bool(_SECRET_KEY.fullmatch(key))


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
    return _USERINFO.sub(rf"\1{HIDDEN}@", text)
