"""Job dispatch in production: outbox table -> Debezium Server -> Kinesis -> dispatcher Lambda."""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from components.data import Database, FileSystem
from components.service import Service, ServiceSpec
from config import StackConfig

DEBEZIUM_IMAGE = "quay.io/debezium/server:3.2"
# the router's topic is the name of the Kinesis stream
STREAM_SUFFIX = "outbox.event.render"


class OutboxRelay(pulumi.ComponentResource):
    def __init__(self, cfg: StackConfig, db: Database, efs: FileSystem, opts=None):
        super().__init__("video:events:OutboxRelay", cfg.name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        self.stream = aws.kinesis.Stream(
            f"{cfg.name}-outbox",
            name=f"{cfg.name}.{STREAM_SUFFIX}",
            shard_count=cfg.shards,
            retention_period=24,
            tags=cfg.tags,
            opts=child,
        )

        self.debezium = Service(
            ServiceSpec(
                name=f"{cfg.name}-debezium",
                image=DEBEZIUM_IMAGE,
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "video",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "video_outbox",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": cfg.name,
                    # on EFS, so that a new task goes on where the old one stopped
                    "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/offsets.dat",
                    "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1000",
                    "DEBEZIUM_TRANSFORMS": "outbox",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_TYPE": "io.debezium.transforms.outbox.EventRouter",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT": f"{cfg.name}.outbox.event.${{routedByValue}}",
                    "DEBEZIUM_SINK_TYPE": "kinesis",
                    "DEBEZIUM_SINK_KINESIS_REGION": cfg.region,
                },
                secrets={
                    "DEBEZIUM_SOURCE_DATABASE_USER": (db.secret_arn, "username"),
                    "DEBEZIUM_SOURCE_DATABASE_PASSWORD": (db.secret_arn, "password"),
                },
                efs_volume=efs.volume("debezium", "/debezium/data"),
                task_policy=[
                    {
                        "Effect": "Allow",
                        "Action": ["kinesis:PutRecord", "kinesis:PutRecords", "kinesis:DescribeStream"],
                        "Resource": self.stream.arn,
                    },
                ],
            ),
            tags=cfg.tags,
            opts=child,
        )
        self.register_outputs({"stream": self.stream.name})
