"""Reference stack: outbox table -> Debezium Server on Fargate -> Kinesis -> dispatcher Lambda."""
from __future__ import annotations

import pulumi
import pulumi_aws as aws

from components import Cluster, Database, FargateService, FileSystem, ServiceSpec
from settings import Settings

SERVER_IMAGE = "quay.io/debezium/server:3.2"
# the router's topic is the name of the stream
STREAM = "outbox.event.render"


class RenderOutbox(pulumi.ComponentResource):
    def __init__(self, s: Settings, cluster: Cluster, db: Database, efs: FileSystem):
        super().__init__("render:events:Outbox", s.name, None, None)

        self.stream = aws.kinesis.Stream(
            f"{s.name}-outbox",
            name=f"{s.name}.{STREAM}",
            shard_count=s.shards,
            retention_period=24,
        )

        self.server = FargateService(
            ServiceSpec(
                name=f"{s.name}-cdc",
                image=SERVER_IMAGE,
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "render",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.render_outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "render_outbox_slot",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": s.name,
                    # on EFS, so that a new task goes on where the old one stopped
                    "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/offsets.dat",
                    "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1000",
                    "DEBEZIUM_TRANSFORMS": "outbox",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_TYPE": "io.debezium.transforms.outbox.EventRouter",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT": f"{s.name}.outbox.event.${{routedByValue}}",
                    "DEBEZIUM_SINK_TYPE": "kinesis",
                    "DEBEZIUM_SINK_KINESIS_REGION": s.region,
                },
                secrets={
                    "DEBEZIUM_SOURCE_DATABASE_USER": (db.secret_arn, "username"),
                    "DEBEZIUM_SOURCE_DATABASE_PASSWORD": (db.secret_arn, "password"),
                },
                efs_volume=efs.volume("cdc", "/debezium/data"),
            ),
            cluster_arn=cluster.arn,
        )

        self.register_outputs({"stream": self.stream.name})
