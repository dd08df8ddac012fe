"""Enables change data capture for the outbox and registers the relay (SQL Server)."""
import os

import pyodbc
import requests

ENABLE = """
IF NOT EXISTS (SELECT 1 FROM sys.tables t WHERE t.name = 'OutboxMessage' AND t.is_tracked_by_cdc = 1)
EXEC sys.sp_cdc_enable_table
    @source_schema = N'msg',
    @source_name = N'OutboxMessage',
    @role_name = NULL,
    @supports_net_changes = 0,
    @captured_column_list = N'Id, Topic, AggregateId, EventType, CreatedUtc'
"""
# msg.OutboxMessage: Id, Topic, AggregateId, EventType, Body nvarchar(max), CreatedUtc, SentBy

db = pyodbc.connect(os.environ["ODBC_DSN"], autocommit=True)
db.execute(ENABLE)

requests.put(
    os.environ["CONNECT"] + "/connectors/outbox-message/config",
    timeout=60,
    json={
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "database.hostname": os.environ["SQL_HOST"],
        "database.port": "1433",
        "database.user": os.environ["SQL_USER"],
        "database.password": os.environ["SQL_PASSWORD"],
        "database.names": "Tickets",
        "database.encrypt": "false",
        "topic.prefix": "tickets",
        "table.include.list": "msg.OutboxMessage",
        "include.schema.changes": "false",
        "schema.history.internal.kafka.bootstrap.servers": os.environ["BROKERS"],
        "schema.history.internal.kafka.topic": "tickets-ddl",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "Id",
        "transforms.outbox.table.field.event.key": "AggregateId",
        "transforms.outbox.table.field.event.payload": "Body",
        "transforms.outbox.route.by.field": "Topic",
        "transforms.outbox.route.topic.replacement": "${routedByValue}",
        "transforms.outbox.table.fields.additional.placement": "EventType:header",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    },
).raise_for_status()
