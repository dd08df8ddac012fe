"""Reading a log: what is planned, the pass over every record, and the second reading that settles suspicions."""
