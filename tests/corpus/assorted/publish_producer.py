"""Регистрация коннектора, который публикует таблицу событий сервиса."""
import json
import urllib.request

CONNECT = "http://connect:8083/connectors"


def publish(name, db, table_regexp, topic, fields, partitions, brokers):
    # одна таблица событий (или её части: moves_2025, moves_2026) -> один публичный топик
    config = {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": 1,
        "database.hostname": db["host"],
        "database.port": db["port"],
        "database.user": db["user"],
        "database.password": db["password"],
        "database.server.id": db["server_id"],
        "database.include.list": db["name"],
        "table.include.list": db["name"] + "\\." + table_regexp,
        "topic.prefix": name,
        "schema.history.internal.kafka.bootstrap.servers": ",".join(brokers),
        "schema.history.internal.kafka.topic": name + ".ddl",
        "snapshot.mode": "no_data",

        # Debezium требует группу default; топик с DDL попадает в неё
        "topic.creation.default.replication.factor": len(brokers),
        "topic.creation.default.partitions": 1,
        "topic.creation.groups": topic,
        "topic.creation." + topic + ".replication.factor": len(brokers),
        "topic.creation." + topic + ".partitions": partitions,
        "topic.creation." + topic + ".include": topic,

        "transforms.Public.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.Public.regex": name + "\\." + db["name"] + "\\." + table_regexp,
        "transforms.Public.replacement": topic,

        "transforms.Spread.type": "io.debezium.transforms.partitions.PartitionRouting",
        "transforms.Spread.partition.payload.fields": ",".join("change." + f for f in fields),
        "transforms.Spread.partition.topic.num": partitions,
        "transforms.Spread.predicate": topic,
        "predicates": topic,
        "predicates." + topic + ".type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
        "predicates." + topic + ".pattern": topic,
        "transforms": "Public,Spread",
    }
    request = urllib.request.Request(
        CONNECT, method="POST", headers={"Content-Type": "application/json"},
        data=json.dumps({"name": name, "config": config}).encode("utf-8"))
    with urllib.request.urlopen(request) as response:
        print(response.getcode(), json.loads(response.read().decode("utf-8")))
