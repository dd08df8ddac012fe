"""What a verification keeps: tallies, the events of aggregates in memory, on disk or on Spark, a follower's state."""
