"""Schema files and payloads with which a relay is compared with a connector."""

RELEASES = {"mysql": "3.6", "mariadb": "3.5"}  # of Debezium, as in connectors.json
EXTRA = """[{name: tenant, required: false}, {name: flag, kind: boolean, required: false},
  {name: shard, kind: integer, to: partition, required: false}, {name: big, kind: bigint, required: false}]"""
CONVERTERS = {
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "transforms.outbox.table.fields.additional.placement": (
        "type:header:eventType,aggregatetype:envelope,sequence:header:sequence,flag:envelope:is flag,shard:partition"
    ),
}
PAYLOADS = ('{"n": 1.50, "ü": "\\u2603😀"}', "{}", ' {"a": [1, 2.0, null]} ', '{"n": 9007199254740993}', "[]", '"text"')
