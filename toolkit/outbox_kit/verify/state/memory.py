"""The engine of small topics: per key its highest number, per event eight bytes."""

from array import array
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator

import numpy as np

from outbox_kit.verify.state.engine import EventRows, Hashes, Suspects, hash_of
from outbox_kit.verify.state.tally import PartitionId
from outbox_kit.verify.transitions import FIRST, NO_NUMBER, NOTHING, TYPE_BITS, UNDECLARED, step


class Memory:
    """Remembers in this process."""

    def __init__(self, forbidden: Iterable[int] = (), *, dense: bool = False) -> None:
        """forbidden: steps that no aggregate may take; see `paths`. dense: whether a key's first number may count."""
        self._dense = dense
        self._begun: defaultdict[PartitionId, set[bytes]] = defaultdict(set)
        self._forbidden = frozenset(map(int, forbidden))
        self._paths: defaultdict[PartitionId, set[bytes]] = defaultdict(set)
        self._last: defaultdict[PartitionId, dict[tuple[bytes, int], int]] = defaultdict(dict)
        self._highest: defaultdict[PartitionId, dict[bytes, int]] = defaultdict(dict)
        self._ids: defaultdict[PartitionId, array[int]] = defaultdict(lambda: array("Q"))
        self._out_of_order: defaultdict[PartitionId, defaultdict[bytes, set[int]]] = defaultdict(
            lambda: defaultdict(set)
        )
        self._gapped: defaultdict[PartitionId, set[bytes]] = defaultdict(set)

    def add(self, rows: EventRows) -> None:
        """See `Engine`."""
        topic_partition = rows.topic, rows.partition
        self._ids[topic_partition].frombytes(rows.ids.tobytes())
        highest = self._highest[topic_partition]
        late, gapped = self._out_of_order[topic_partition], self._gapped[topic_partition]
        for key, sequence in zip(rows.aggregates, rows.sequences.tolist(), strict=True):
            before = highest.get(key)
            if before is None:
                highest[key] = sequence
                if self._dense and sequence > FIRST:
                    self._begun[topic_partition].add(key)
            elif sequence > before:
                highest[key] = sequence
                if sequence > before + 1 and before != NO_NUMBER:
                    gapped.add(key)
            elif sequence != NO_NUMBER:
                late[key].add(sequence)

        if self._forbidden:
            self._follow(self._last[topic_partition], self._paths[topic_partition], rows)

    def _follow(self, last: dict[tuple[bytes, int], int], paths: set[bytes], rows: EventRows) -> None:
        """Remember the last kind of each aggregate, and who took a step that is forbidden."""
        for key, kind in zip(rows.aggregates, rows.kinds.tolist(), strict=True):
            if kind == UNDECLARED:
                continue
            whose = key, kind >> TYPE_BITS
            if step(last.get(whose, NOTHING), kind) in self._forbidden:
                paths.add(key)
            last[whose] = kind

    def suspects(self, *, gaps: bool, split: bool, complete: Container[PartitionId] = ()) -> Iterator[Suspects]:
        """See `Engine`."""
        repeated = self._repeated()
        keys_misplaced = self._split() if split else {}
        for topic_partition in sorted(self._ids):
            hashes: Hashes = np.frombuffer(self._ids[topic_partition], dtype=np.uint64)
            ids = set(hashes[np.isin(hashes, repeated)].tolist()) if repeated.size else set()
            numbers = {hash_of(key): late_numbers for key, late_numbers in self._out_of_order[topic_partition].items()}
            gapped = {hash_of(key) for key in self._gapped[topic_partition]} if gaps else set()
            gapped |= (
                {hash_of(key) for key in self._begun[topic_partition]}
                if gaps and topic_partition in complete
                else set()
            )
            strays = {
                hash_of(key)
                for key in keys_misplaced.get(topic_partition[0], set()) & self._highest[topic_partition].keys()
            }
            paths = {hash_of(key) for key in self._paths[topic_partition]}
            if suspect := Suspects(*topic_partition, ids, numbers, gapped, strays, paths):
                yield suspect

    def keys(self) -> int:
        """See `Engine`."""
        return sum(map(len, self._highest.values()))

    def flush(self) -> None:
        """See `Engine`; there is nothing."""

    def close(self) -> None:
        """See `Engine`; there is nothing."""

    def _repeated(self) -> Hashes:
        """The ids that are there more than once, whatever the partition."""
        ids = [np.frombuffer(ids, np.uint64) for ids in self._ids.values()]
        everything: Hashes = np.sort(np.concatenate(ids)) if ids else np.empty(0, np.uint64)
        return np.unique(everything[1:][everything[1:] == everything[:-1]])

    def _split(self) -> dict[str, set[bytes]]:
        """The keys that are in more than one partition of their topic."""
        keys_seen: defaultdict[str, set[bytes]] = defaultdict(set)
        partitions: defaultdict[str, set[bytes]] = defaultdict(set)
        for (topic, _), keys in self._highest.items():
            partitions[topic] |= keys_seen[topic] & keys.keys()
            keys_seen[topic] |= keys.keys()
        return partitions
