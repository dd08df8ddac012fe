import json

import requests


class CdcManager:
    """Registers binlog captures at Kafka Connect."""

    def __init__(self, connect_url, kafka_servers):
        self.connect_url = connect_url
        self.kafka_servers = kafka_servers

    def capture_mysql(self, db):
        connector = {
            "name": f"{db['database']}-capture",
            "config": {
                "connector.class": "io.debezium.connector.mysql.MySqlConnector",
                "database.hostname": db['host'],
                "database.port": db['port'],
                "database.user": db['user'],
                "database.password": db['password'],
                "database.server.id": db.get('server_id', 91730),
                "database.server.name": db['server_name'],

                "database.include.list": db['database'],
                "table.include.list": db.get('tables', '.*'),

                "snapshot.mode": "when_needed",
                "snapshot.locking.mode": "minimal",

                "binlog.buffer.size": 8192,
                "gtid.source.includes": ".*",

                # one prefix a database
                "topic.prefix": f"rows.{db['database']}",

                # DDL
                "include.schema.changes": "true",
                "database.history.kafka.topic": f"ddl.{db['database']}",
                "database.history.kafka.bootstrap.servers": self.kafka_servers,

                "max.batch.size": 2048,
                "max.queue.size": 8192,
                "incremental.snapshot.allow.schema.changes": "true"
            }
        }
        self._register(connector)
        return connector

    def _register(self, connector):
        response = requests.post(
            f"{self.connect_url}/connectors",
            headers={"Content-Type": "application/json"},
            data=json.dumps(connector),
        )
        response.raise_for_status()
