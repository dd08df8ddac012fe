"""Registers Debezium connectors for the data sources that users add."""

import httpx
from django.conf import settings
from rest_framework import status, viewsets
from rest_framework.decorators import action
from rest_framework.response import Response


def post(config):
    url = settings.CONNECT_URL.rstrip("/") + "/connectors"
    with httpx.Client(timeout=10) as client:
        return client.post(url, json=config)


class SourceViewSet(viewsets.ViewSet):

    @action(detail=True, methods=["post"])
    def register(self, request, pk=None):
        body = request.data or {}
        kind = (body.get("kind") or "").lower()
        name = f"source-{pk}"

        if kind == "mysql":
            config = {
                "name": name,
                "config": {
                    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
                    "database.hostname": body["host"],
                    "database.port": str(body["port"]),
                    "database.user": str(body["user"]),
                    "database.password": str(body["password"]),
                    "database.include.list": str(body["database"]),
                    "topic.prefix": str(body["prefix"]),
                    "snapshot.mode": "initial",
                    "table.include.list": f'{body["database"]}.{body["table"]}',
                },
            }
            topic = f'{body["prefix"]}.{body["database"]}.{body["table"]}'
        elif kind == "sqlserver":
            schema = body.get("schema") or "dbo"
            config = {
                "name": name,
                "config": {
                    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
                    "database.hostname": body["host"],
                    "database.port": str(body["port"]),
                    "database.user": str(body["user"]),
                    "database.password": str(body["password"]),
                    "database.names": str(body["database"]),
                    "topic.prefix": str(body["prefix"]),
                    "snapshot.mode": "initial",
                    "table.include.list": f'{body["database"]}.{schema}.{body["table"]}',
                },
            }
            topic = f'{body["prefix"]}.{body["database"]}.{schema}.{body["table"]}'
        else:  # mongodb
            config = {
                "name": name,
                "config": {
                    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
                    "mongodb.connection.string": str(body["connection_string"]),
                    "topic.prefix": str(body["prefix"]),
                    "database.include.list": str(body["database"]),
                    "collection.include.list": f'{body["database"]}.{body["collection"]}',
                    "snapshot.mode": "initial",
                },
            }
            topic = f'{body["prefix"]}.{body["database"]}.{body["collection"]}'

        answer = post(config)
        if answer.status_code not in (200, 201, 409):
            return Response({"detail": "Connect refused it", "body": answer.text}, status=status.HTTP_502_BAD_GATEWAY)
        return Response({"ok": True, "topic": topic, "connector": name})
