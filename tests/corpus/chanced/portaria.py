import os
import time

import requests

CONNECT_URL = "http://worker:8083/connectors"
TENTATIVAS = 30

for i in range(TENTATIVAS):
    try:
        if requests.get(CONNECT_URL).status_code == 200:
            break
    except requests.ConnectionError:
        print(f"[{i + 1}/{TENTATIVAS}] aguardando o Kafka Connect")
    time.sleep(5)
else:
    raise SystemExit("o Kafka Connect nao respondeu")

CONECTORES = {
    "portaria-connector": {
        "name": "portaria-connector",
        "config": {
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "database.hostname": os.getenv("DB_HOST"),
            "database.port": os.getenv("DB_PORT"),
            "database.user": os.getenv("DB_USER"),
            "database.password": os.getenv("DB_PASSWORD"),
            "database.names": os.getenv("DB_NAME"),
            "database.server.name": "portaria_srv",
            "table.include.list": "dbo.Acessos",
            "include.schema.changes": "false",
            "topic.prefix": os.getenv("TOPIC_PREFIX"),
            "database.encrypt": "false",
            "database.trustServerCertificate": "true",
            "database.ssl.mode": "disable",
            "schema.history.internal.kafka.bootstrap.servers": "broker:9092",
            "schema.history.internal.kafka.topic": "ddl-portaria",
        },
    }
}

# cria ou atualiza
for nome, corpo in CONECTORES.items():
    existe = requests.get(f"{CONNECT_URL}/{nome}").status_code == 200
    if existe:
        r = requests.put(f"{CONNECT_URL}/{nome}/config", json=corpo["config"])
    else:
        r = requests.post(CONNECT_URL, json=corpo)
    print(nome, r.status_code, r.text)
