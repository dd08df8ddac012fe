"""Job dispatch: outbox table -> Debezium Server -> Kinesis -> dispatcher Lambda.

Debezium reads the `outbox` table over a logical replication slot (the parameter group turns it on).
The Lambda starts the workflow (workflow id = job id) and reports partial batch failures.
"""

from __future__ import annotations

import pulumi
import pulumi_aws as aws

from parts.fargate import Service, ServiceSpec
from settings import StackSettings

RELAY_IMAGE = "quay.io/debezium/server:3.2"
# The router publishes to "outbox.event.<aggregatetype>"; the sink takes that as the name of the stream.
STREAM = "outbox.event.job"


class JobRelay(pulumi.ComponentResource):
    def __init__(self, s: StackSettings, db, efs, cluster, opts=None):
        super().__init__("scans:events:JobRelay", s.name, None, opts)
        child = pulumi.ResourceOptions(parent=self)

        self.stream = aws.kinesis.Stream(
            f"{s.name}-jobs",
            name=f"{s.name}.{STREAM}",
            shard_count=s.shards,
            retention_period=24,
            encryption_type="KMS",
            kms_key_id="alias/aws/kinesis",
            opts=child,
        )

        self.relay = Service(
            ServiceSpec(
                name=f"{s.name}-relay",
                image=RELAY_IMAGE,
                environment={
                    "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
                    "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
                    "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": db.instance.address,
                    "DEBEZIUM_SOURCE_DATABASE_PORT": "5432",
                    "DEBEZIUM_SOURCE_DATABASE_DBNAME": "scans",
                    "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "public.outbox",
                    "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "filtered",
                    "DEBEZIUM_SOURCE_SLOT_NAME": "job_outbox_slot",
                    "DEBEZIUM_SOURCE_TOPIC_PREFIX": s.name,
                    # on EFS, so that it outlives the task
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
                efs_volume=efs.volume("relay", "/debezium/data"),
            ),
            cluster_arn=cluster.arn,
            opts=child,
        )
        self.register_outputs({"stream": self.stream.name})
