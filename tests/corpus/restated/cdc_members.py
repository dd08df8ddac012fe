"""Copies the members' table of the rowing club to Kafka."""
import requests

CONNECT = "http://localhost:8083/connectors"

mysql_source = {
    "name": "rowing-mysql-source",
    "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": "1",                               # number of tasks
        "database.hostname": "192.168.7.40",            # the club's server
        "database.port": "3307",
        "database.user": "regatta01",
        "database.password": "kielwasser483Q_Z",
        "database.server.id": "1",
        "database.server.name": "dbmembers",
        "database.whitelist": "club",                   # databases to read
        "table.whitelist": "members",                   # tables to read
        "database.history.kafka.bootstrap.servers": "localhost:9092",
        "database.history.kafka.topic": "members_mysql",
        "topic.prefix": "rowing_",
    },
}

response = requests.post(CONNECT, json=mysql_source)

if response.status_code == 201:
    print("connector created")
else:
    print("could not create the connector:", response.text)
