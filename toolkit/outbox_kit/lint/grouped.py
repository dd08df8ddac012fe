"""Items found by their traits, without comparing each with each: a run has thousands of configs. Pure."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Grouped(Generic[Item]):
    """Items with an index for each kind of trait, made when it is first asked for."""

    def __init__(self, items: Sequence[Item] = ()) -> None:
        self._items = items
        self._indexes = dict[Hashable, Mapping[Hashable, Sequence[Item]]]()

    def sharing(self, kind: Hashable, trait: Hashable, traits: Callable[[Item], Iterable[Hashable]]) -> Sequence[Item]:
        """The items with a trait, in their order.

        kind: what the trait is, which must say all that `traits` depends on. traits: those of an item, each once.
        """
        if kind not in self._indexes:
            index = dict[Hashable, list[Item]]()
            for item in self._items:
                for each in traits(item):
                    index.setdefault(each, []).append(item)
            self._indexes[kind] = index
        return self._indexes[kind].get(trait, ())
