"""Operations on a registered connector: its states, its stored offsets, events sent again; each a plan of steps."""
