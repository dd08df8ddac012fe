import json
import os

import requests
from dotenv import load_dotenv

load_dotenv()
CONNECT = "http://localhost:8083/connectors"

# payload enviado por POST ao Kafka Connect
conector = {
    "name": "acervo-mssql",
    "config": {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        # o SQL Server roda no host, o Debezium num container
        "database.hostname": "host.docker.internal",
        "database.port": "1433",
        "database.user": os.getenv("MSSQL_USER"),
        "database.password": os.getenv("MSSQL_PASS"),
        "database.names": "ACERVO_RAG",
        # {topic.prefix}.{database}.{schema}.{table}, ex.: acervo.ACERVO_RAG.dbo.Documentos
        "topic.prefix": "acervo",
        "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
        "schema.history.internal.kafka.topic": "ddl.acervo",
        # so em desenvolvimento
        "database.encrypt": "false",
        "database.trustServerCertificate": "true",
        # le tudo uma vez, depois somente as mudancas
        "snapshot.mode": "initial",
    },
}


def registrar():
    # 404 aqui e normal: o conector ainda nao existe
    requests.delete(f"{CONNECT}/{conector['name']}")
    resposta = requests.post(CONNECT, headers={"Content-Type": "application/json"}, data=json.dumps(conector))
    if resposta.status_code in (200, 201):
        print("conector registrado")
    else:
        print("erro:", resposta.text)


if __name__ == "__main__":
    registrar()
