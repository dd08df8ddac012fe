"""A job of the database that deletes old rows. Pure."""

from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import UsageProblem
from outbox_kit.operate.cleanup.kind import CleanupKind, KeepTimes, Way
from outbox_kit.render import cleanup
from outbox_kit.render.cleanup import RowProof
from outbox_kit.schema.model import Outbox

WATCH = "run outbox-kit cleanup --watch as a service"


def script(outbox: Outbox, kind: CleanupKind, times: KeepTimes, *, by_age: bool) -> str:
    """The script that creates the job. by_age: whether rows may be deleted by their age alone. Raises UsageProblem."""
    job = kind.job
    if job is None or kind.way(outbox) is not Way.delete:
        raise UsageProblem(
            f"no job is generated for this table: '{kind.way(outbox)}' is more than a statement", fix=WATCH
        )
    proof = job.proof(outbox)
    if job.unproven and proof is RowProof.age and not by_age:
        raise UsageProblem(
            f"a job of {outbox.dialect.title} cannot prove {job.unproven}",
            why=job.why,
            fix=f"{WATCH}; or allow rows to be deleted by their age alone: --by-age",
        )
    rows = kind.rows(outbox, RowEvidence(proof), times)
    if outbox.delivery.by != "relay":
        rows = cleanup.without_failures(rows)
    return cleanup.job(outbox.dialect, rows, outbox.service, outbox.names.database, job.remark)
