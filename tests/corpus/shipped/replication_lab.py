import os

import pulumi
import pulumi_docker as docker

from registry.images import img_postgres

HERE = os.path.abspath(os.path.dirname(__file__))

network = docker.Network("replication-lab",
    name="replication-lab",
    driver="bridge"
)

# The database that is read
primary = docker.Container("pg-primary",
    name="pg-primary",
    image=img_postgres.name,
    command=["postgres", "-c", "wal_level=logical"],
    envs=[
        "POSTGRES_USER=lab_user",
        "POSTGRES_PASSWORD=lab_password",
        "POSTGRES_DB=lab_database",
        "PGDATA=/db/postgresql/data",
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(
        name=network.name
    )],
    volumes=[
        docker.ContainerVolumeArgs(
            host_path="/data/labs/pg/primary/data",
            container_path="/db/postgresql/data",
        ),
        docker.ContainerVolumeArgs(
            host_path=f"{HERE}/primary_init.sh",
            container_path="/docker-entrypoint-initdb.d/primary_init.sh",
            read_only=True
        )
    ]
)

# Shows what arrives
receiver = docker.Container("cdc-receiver",
    name="cdc-receiver",
    image="mendhak/http-https-echo:33",
    ports=[docker.ContainerPortArgs(
        internal=8080,
        external=8082,
    )],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(
        name=network.name
    )]
)

# Debezium without Kafka
debezium_server = docker.Container("debezium-lab",
    name="debezium-lab",
    image="debezium/server:latest",
    envs=[
        "DEBEZIUM_SINK_TYPE=http",
        "DEBEZIUM_SINK_HTTP_URL=http://cdc-receiver:8080/",
        "DEBEZIUM_FORMAT_VALUE=json",
        "DEBEZIUM_FORMAT_KEY=json",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS=io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME=pg-primary",
        "DEBEZIUM_SOURCE_DATABASE_PORT=5432",
        "DEBEZIUM_SOURCE_DATABASE_USER=lab_user",
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD=lab_password",
        "DEBEZIUM_SOURCE_DATABASE_DBNAME=lab_database",
        "DEBEZIUM_SOURCE_TOPIC_PREFIX=pg-primary-server",
        "DEBEZIUM_SOURCE_DATABASE_SERVER_NAME=pg-primary-server",
        "DEBEZIUM_SOURCE_PLUGIN_NAME=pgoutput",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME=/debezium/data/offsets.dat",
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(
        name=network.name
    )],
    opts=pulumi.ResourceOptions(depends_on=[primary, receiver])
)
