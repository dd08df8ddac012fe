"""ECS service: Debezium Server from the outbox to Kinesis (Pulumi component)."""
from __future__ import annotations

import pulumi
from infra.ecs import ContainerService, ServiceArgs
from infra.efs import SharedVolume


class RelayStack(pulumi.ComponentResource):
    def __init__(self, cfg, cluster, db, stream, opts=None):
        super().__init__("aqua:relay", cfg.name, None, opts)
        efs = SharedVolume(f"{cfg.name}-relay", parent=self)
        self.service = ContainerService(
            f"{cfg.name}-relay",
            ServiceArgs(
                image=cfg.debezium_image,
                desired_count=1,  # one reader per slot
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "fishfarm",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "outbox_slot",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": cfg.name,
                    # on EFS, so that a new task goes on where the old one was
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
                task_policy_statements=[
                    {
                        "Effect": "Allow",
                        "Action": ["kinesis:PutRecord", "kinesis:PutRecords", "kinesis:DescribeStream"],
                        "Resource": stream.arn,
                    },
                    *efs.client_statements("debezium"),
                ],
            ),
            cluster_arn=cluster.arn,
            opts=pulumi.ResourceOptions(parent=self),
        )
