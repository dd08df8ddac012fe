"""All that the verifier asks of a table, asked of one without events: what counts is how names are quoted."""

from outbox_kit.databases import digest
from outbox_kit.databases.ledger import Ledger
from outbox_kit.schema.model import Outbox
from outbox_kit.wire.copies import copies

SECONDS = 60.0


def every(ledger: Ledger, outbox: Outbox, event_id: str) -> None:
    """Ask them all. event_id: of a row that is no event, in its canonical form."""
    held = ledger.comparable_parts(copies(outbox), SECONDS)
    assert held.digested
    assert ledger.snapshot(held.digested, SECONDS).rows == 0
    for buckets in (None, range(0, digest.BUCKETS, 7)):
        assert [row for batch in ledger.read(held.digested, buckets, SECONDS) for row in batch] == []
    assert list(ledger.rows_of([event_id], SECONDS, held.digested + held.sampled)) in ([], [event_id])
    assert ledger.oldest(SECONDS) is None
    assert ledger.rows_per_transaction(["1"], SECONDS) == {}
    if outbox.ordering.sequence:
        assert ledger.lowest(0, SECONDS) is None
