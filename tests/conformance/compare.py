"""Whether the model and the real router say the same."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from outbox_kit.router.chain import Chain, Failed, Message, Nondeterministic, Outcome, Unknown, VaryingBytes
from outbox_kit.router.values import Dropped, Failure, NotModelled, SourceRecord
from outbox_kit.versions import Version
from tests.support.batch import Thrown, rows_bytes
from tests.support.jvm import Real

Context = Sequence[tuple[str, bytes | VaryingBytes | None]]


def difference(outcome: Outcome, real: Any) -> str | None:
    """How the two differ; None where they agree."""
    match outcome:
        case Unknown():
            return None
        case Nondeterministic(outcomes):
            return None if any(difference(one, real) is None for one in outcomes) else f"none of {outcomes}"
        case Dropped():
            return None if real is None else f"model drops, real {real}"
        case Failed():
            return _failure(outcome, real)
    return _message(outcome, real)


def _failure(outcome: Failed, real: Any) -> str | None:
    if not isinstance(real, Thrown):
        return f"model {outcome}, real {real}"
    same = (outcome.stage, outcome.kind) == (real.stage, real.kind)
    loose = outcome.stage == "producer" or outcome.kind in (
        "NullPointerException",
        "ClassCastException",
        "ConfigException",
    )
    if same and (loose or outcome.message == real.message):
        return None
    return f"model {outcome}, real {real}"


def _message(outcome: Message, real: Any) -> str | None:
    if not isinstance(real, dict):
        return f"model {outcome}, real {real}"
    own, count = outcome.context, len(outcome.context)
    sent = {**real, "headers": real["headers"][count:]}
    unlike = [
        f"{name}: {getattr(outcome, name)!r} {sent[name]!r}" for name in sent if getattr(outcome, name) != sent[name]
    ]
    if not context_admits(own, real["headers"][:count]):
        unlike.append(f"context: {own!r} {real['headers'][:count]!r}")
    return "; ".join(unlike) or None


def context_admits(context: Context, real: Sequence[tuple[str, bytes | None]]) -> bool:
    """Whether headers can be those in which the model says that a connector names itself."""
    return [name for name, _ in context] == [name for name, _ in real] and all(
        own.admits(content) if isinstance(own, VaryingBytes) else own == content
        for (_, own), (_, content) in zip(context, real, strict=True)
    )


def chain(config: dict[str, str], line: str) -> Chain | Failed | Unknown:
    """The model of a config, or why there is none."""
    try:
        return Chain(config, Version.of(line))
    except Failure as failure:
        return Failed("configure", failure.kind, failure.message)
    except NotModelled as reason:
        return Unknown(str(reason))


def compare(
    config: dict[str, str], rows: Sequence[SourceRecord], lines: Sequence[str]
) -> tuple[list[str], Counter[str]]:
    """The differences of one config's rows on some releases, and what the model's outcomes were, by kind."""
    differences, kinds = [], Counter[str]()
    written = rows_bytes(rows)
    for line in lines:
        model = chain(config, line)
        if isinstance(model, Unknown):
            kinds["Unknown"] += len(rows)
            continue
        answers = Real(config, line).send(written)
        if isinstance(model, Failed) or isinstance(answers, Thrown):
            kinds["Refused"] += 1
            own = model if isinstance(model, Failed) else Failed("none", "", "")
            if found := _failure(own, answers):
                differences.append(f"{line}: {found}")
            continue
        for row, answer in zip(rows, answers, strict=True):
            outcome = model.send(row)
            kinds[type(outcome).__name__] += 1
            if found := difference(outcome, answer):
                differences.append(f"{line}: {found}\n   row: {row.value!r:.600}")
    return differences, kinds
