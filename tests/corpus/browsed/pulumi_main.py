"""Pulumi: a PostgreSQL pair in Docker, Debezium Server at the primary, an echo server that logs the events."""
import os

import pulumi
import pulumi_docker as docker

network = docker.Network("replica-lab", name="replica-lab")

primary = docker.Container(
    "pg-primary",
    name="pg-primary",
    image="postgres:16",
    envs=["POSTGRES_USER=lab_user", "POSTGRES_PASSWORD=lab_password", "POSTGRES_DB=lab"],
    command=["postgres", "-c", "wal_level=logical", "-c", "max_wal_senders=8"],
    ports=[docker.ContainerPortArgs(internal=5432, external=5442)],
    volumes=[
        docker.ContainerVolumeArgs(
            host_path=os.path.abspath("./primary_init.sql"),
            container_path="/docker-entrypoint-initdb.d/primary_init.sql",
            read_only=True,
        )
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=network.name)],
)

echo = docker.Container(
    "echo",
    name="echo",
    image="mendhak/http-https-echo:33",
    ports=[docker.ContainerPortArgs(internal=8080, external=8091)],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=network.name)],
)

cdc = docker.Container(
    "cdc",
    name="cdc",
    image="quay.io/debezium/server:latest",
    envs=[
        "DEBEZIUM_SINK_TYPE=http",
        "DEBEZIUM_SINK_HTTP_URL=http://echo:8080/",
        "DEBEZIUM_FORMAT_VALUE=json",
        "DEBEZIUM_FORMAT_KEY=json",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS=io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME=pg-primary",
        "DEBEZIUM_SOURCE_DATABASE_PORT=5432",
        "DEBEZIUM_SOURCE_DATABASE_USER=lab_user",
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD=lab_password",
        "DEBEZIUM_SOURCE_DATABASE_DBNAME=lab",
        "DEBEZIUM_SOURCE_TOPIC_PREFIX=lab-primary",
        "DEBEZIUM_SOURCE_DATABASE_SERVER_NAME=lab-primary",
        "DEBEZIUM_SOURCE_PLUGIN_NAME=pgoutput",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME=/debezium/data/offsets.dat",
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=network.name)],
    opts=pulumi.ResourceOptions(depends_on=[primary, echo]),
)

pulumi.export("echo", "http://localhost:8091")
