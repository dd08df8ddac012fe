"""Render jobs in production: outbox -> Debezium Server -> Kinesis -> starter Lambda."""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from parts.fargate import FargateService, ServiceSpec

CDC_IMAGE = "quay.io/debezium/server:3.2"
# The router publishes to "outbox.event.<aggregatetype>"; the Kinesis sink takes that as the stream's name.
STREAM = "outbox.event.render"


class Dispatch(pulumi.ComponentResource):
    def __init__(self, cfg, network, groups, cluster, db, efs, opts=None):
        super().__init__("render:events:Dispatch", cfg.name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        self.stream = aws.kinesis.Stream(
            f"{cfg.name}-render",
            name=f"{cfg.name}.{STREAM}",
            shard_count=cfg.shards,
            retention_period=24,
            opts=child,
        )

        self.cdc = FargateService(
            ServiceSpec(
                name=f"{cfg.name}-cdc",
                image=CDC_IMAGE,
                size=cfg.cdc,
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "render",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "render_slot",
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
                efs_volume=efs.volume("cdc", "/debezium/data"),
            ),
            cluster_arn=cluster.arn,
            subnet_ids=network.private_subnet_ids,
            security_group_id=groups.cdc.id,
            opts=child,
        )
        self.register_outputs({"stream": self.stream.name})
