"""Pulumi stack of the replication lab: one primary, CDC to an HTTP echo service."""
import os

import pulumi
import pulumi_docker as docker

HERE = os.path.abspath(os.path.dirname(__file__))

net = docker.Network("replication-lab", name="replication-lab", driver="bridge")

primary = docker.Container(
    "lab-primary",
    name="lab-primary",
    image="postgres:18.3",
    command=["postgres", "-c", "wal_level=logical"],
    envs=[
        "POSTGRES_USER=lab_user",
        "POSTGRES_PASSWORD=lab_password",
        "POSTGRES_DB=lab",
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=net.name)],
    volumes=[
        docker.ContainerVolumeArgs(host_path="/srv/lab/primary", container_path="/var/lib/postgresql"),
        docker.ContainerVolumeArgs(
            host_path=f"{HERE}/init.sh",
            container_path="/docker-entrypoint-initdb.d/init.sh",
            read_only=True,
        ),
    ],
)

receiver = docker.Container(
    "cdc-receiver",
    name="cdc-receiver",
    image="mendhak/http-https-echo:33",
    ports=[docker.ContainerPortArgs(internal=8080, external=8081)],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=net.name)],
)

cdc = docker.Container(
    "cdc-server",
    name="cdc-server",
    image="quay.io/debezium/server:latest",
    envs=[
        "DEBEZIUM_SINK_TYPE=http",
        "DEBEZIUM_SINK_HTTP_URL=http://cdc-receiver:8080/",
        "DEBEZIUM_FORMAT_VALUE=json",
        "DEBEZIUM_FORMAT_KEY=json",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS=io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME=lab-primary",
        "DEBEZIUM_SOURCE_DATABASE_PORT=5432",
        "DEBEZIUM_SOURCE_DATABASE_USER=lab_user",
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD=lab_password",
        "DEBEZIUM_SOURCE_DATABASE_DBNAME=lab",
        "DEBEZIUM_SOURCE_TOPIC_PREFIX=lab-primary",
        "DEBEZIUM_SOURCE_DATABASE_SERVER_NAME=lab-primary",
        "DEBEZIUM_SOURCE_PLUGIN_NAME=pgoutput",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME=/debezium/data/offsets.dat",
    ],
    networks_advanced=[docker.ContainerNetworksAdvancedArgs(name=net.name)],
    opts=pulumi.ResourceOptions(depends_on=[primary, receiver]),
)
