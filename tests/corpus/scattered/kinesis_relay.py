"""Render dispatch: outbox table -> Debezium Server on Fargate -> Kinesis -> starter Lambda.

Only created when `relay` is switched on in the stack's config; a local stack calls the renderer directly.
"""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from infra.fargate import Service, ServiceArgs
from infra.storage import Efs, Postgres
from settings import StackSettings

RELAY_IMAGE = "quay.io/debezium/server:3.2"
# the router publishes "outbox.event.<aggregatetype>", which the sink takes as the name of the stream
STREAM = "outbox.event.render"


class RenderRelay(pulumi.ComponentResource):
    def __init__(self, cfg: StackSettings, pg: Postgres, efs: Efs, opts: pulumi.ResourceOptions | None = None):
        super().__init__("lantern:relay:RenderRelay", cfg.stack, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        self.stream = aws.kinesis.Stream(
            f"{cfg.stack}-relay",
            name=f"{cfg.stack}.{STREAM}",
            shard_count=cfg.relay_shards,
            retention_period=48,
            encryption_type="KMS",
            kms_key_id="alias/aws/kinesis",
            opts=child,
        )

        self.service = Service(
            ServiceArgs(
                name=f"{cfg.stack}-relay",
                image=RELAY_IMAGE,
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": pg.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "studio",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "render_relay",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": cfg.stack,
                    # on EFS, so that a new task goes on where the old one was
                    "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/position.dat",
                    "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1000",
                    "DEBEZIUM_TRANSFORMS": "outbox",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_TYPE": "io.debezium.transforms.outbox.EventRouter",
                    "DEBEZIUM_TRANSFORMS_OUTBOX_ROUTE_TOPIC_REPLACEMENT": f"{cfg.stack}.outbox.event.${{routedByValue}}",
                    "DEBEZIUM_SINK_TYPE": "kinesis",
                    "DEBEZIUM_SINK_KINESIS_REGION": cfg.region,
                },
                secrets={
                    "DEBEZIUM_SOURCE_DATABASE_USER": (pg.secret_arn, "username"),
                    "DEBEZIUM_SOURCE_DATABASE_PASSWORD": (pg.secret_arn, "password"),
                },
                efs_volume=efs.volume("relay", "/debezium/data"),
                policy=[{
                    "Effect": "Allow",
                    "Action": ["kinesis:PutRecords", "kinesis:DescribeStream"],
                    "Resource": self.stream.arn,
                }],
            ),
            opts=child,
        )
        self.register_outputs({"stream": self.stream.name})
