"""Outbox of the render jobs -> Debezium Server on Fargate -> Kinesis -> dispatcher Lambda."""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from parts.data import Database, FileSystem
from parts.fargate import FargateService, ServiceSpec

IMAGE = "quay.io/debezium/server:3.2"
# The Kinesis sink uses the routed topic as the name of the stream.
STREAM = "outbox.event.render"


class RenderOutbox(pulumi.ComponentResource):
    def __init__(self, cfg, cluster, db: Database, efs: FileSystem, opts=None):
        super().__init__("studio:events:RenderOutbox", cfg.name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        self.stream = aws.kinesis.Stream(
            f"{cfg.name}-render",
            name=f"{cfg.name}.{STREAM}",
            shard_count=cfg.shards,
            retention_period=24,
            opts=child,
        )

        self.relay = FargateService(
            ServiceSpec(
                name=f"{cfg.name}-relay",
                image=IMAGE,
                size=cfg.relay,
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "studio",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "render_slot",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": cfg.name,
                    # on EFS: survives a restart of the task
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
                efs_volume=efs.volume("relay", "/debezium/data"),
            ),
            cluster_arn=cluster.arn,
            opts=child,
        )
        self.register_outputs({"stream": self.stream.name})
