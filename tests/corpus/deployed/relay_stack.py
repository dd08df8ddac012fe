"""Outbox relay: Postgres (logical slot) -> Debezium Server on Fargate -> Kinesis -> starter Lambda."""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from parts.container import Container, ContainerSpec
from parts.storage import Database, SharedFiles
from settings import Stage

IMAGE = "quay.io/debezium/server:3.2"
# The router's topic is what the Kinesis sink takes as the stream's name.
STREAM = "outbox.event.report"


class OutboxRelay(pulumi.ComponentResource):
    def __init__(self, stage: Stage, db: Database, files: SharedFiles, opts: pulumi.ResourceOptions | None = None):
        super().__init__("reports:relay:OutboxRelay", stage.name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        self.stream = aws.kinesis.Stream(
            f"{stage.name}-outbox",
            name=f"{stage.name}.{STREAM}",
            shard_count=stage.shards,
            retention_period=24,
            encryption_type="KMS",
            kms_key_id="alias/aws/kinesis",
            tags=stage.tags,
            opts=child,
        )

        self.debezium = Container(
            ContainerSpec(
                name=f"{stage.name}-debezium",
                image=IMAGE,
                size=stage.debezium_size,
                environment={
                    "DEBEZIUM_SINK_TYPE": "kinesis",
                    "DEBEZIUM_SINK_KINESIS_REGION": stage.region,
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "reports",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "outbox_slot",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": stage.name,
                    # on EFS, so that a new task goes on where the old one stopped
                    "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/offsets.dat",
                    "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1000",
                    "DEBEZIUM_TRANSFORMS": "outbox",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_TYPE": "io.debezium.transforms.outbox.EventRouter",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT": f"{stage.name}.outbox.event.${{routedByValue}}",
                },
                secrets={
                    "DEBEZIUM_SOURCE_DATABASE_USER": (db.secret_arn, "username"),
                    "DEBEZIUM_SOURCE_DATABASE_PASSWORD": (db.secret_arn, "password"),
                },
                volume=files.volume("debezium", "/debezium/data"),
                policy=[
                    {
                        "Effect": "Allow",
                        "Action": ["kinesis:PutRecord", "kinesis:PutRecords", "kinesis:DescribeStream"],
                        "Resource": self.stream.arn,
                    },
                    *files.client_statements("debezium"),
                ],
            ),
            tags=stage.tags,
            opts=child,
        )
        self.register_outputs({"stream": self.stream.name})
