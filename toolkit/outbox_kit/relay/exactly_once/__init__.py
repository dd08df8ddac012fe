"""Exactly once to Kafka: the position in the source is stored in the transaction of the messages.

The position that Kafka has is the truth, and the position of the replication slot follows it. A producer that is opened
fences the one before, so only one relay can move the position, whatever the database says of who reads the slot.
"""
