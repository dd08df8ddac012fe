"""Systems under test of the CDC bench: how each is started."""

import subprocess

# One container per consumer: a server has exactly one sink, so fan-out means
# one server, and one slot, for each consumer.


def _debezium_env(adapter, ctx, cid: int) -> dict[str, str]:
    return {
        "DEBEZIUM_SINK_TYPE": "http",
        "DEBEZIUM_SINK_HTTP_URL": f"{ctx.receiver_base}/sink/{cid}",
        "DEBEZIUM_SINK_HTTP_TIMEOUT_MS": "30000",
        "DEBEZIUM_SINK_HTTP_RETRIES": "2147483647",  # outages of the receiver must not end the run
        "DEBEZIUM_SINK_HTTP_RETRY_INTERVAL_MS": "500",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/offsets.dat",
        "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1000",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": ctx.db_host,
        "DEBEZIUM_SOURCE_DATABASE_PORT": str(ctx.db_port),
        "DEBEZIUM_SOURCE_DATABASE_USER": ctx.db_user,
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD": ctx.db_password,
        "DEBEZIUM_SOURCE_DATABASE_DBNAME": ctx.db_name,
        "DEBEZIUM_SOURCE_TOPIC_PREFIX": f"bench{cid}",
        "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
        "DEBEZIUM_SOURCE_SLOT_NAME": f"{adapter.slot_prefix}{cid}",
        "DEBEZIUM_SOURCE_PUBLICATION_NAME": "bench_pub",
        "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "disabled",
        "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": ",".join(ctx.source_tables),
        "DEBEZIUM_SOURCE_SNAPSHOT_MODE": ctx.snapshot_mode,
        "DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE": "false",
        "DEBEZIUM_FORMAT_VALUE": "json",
        "DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE": "false",
        "DEBEZIUM_FORMAT_KEY": "json",
        "DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE": "false",
        "QUARKUS_LOG_LEVEL": "WARN",
        # host network: every server needs a port of its own
        "QUARKUS_HTTP_PORT": str(8090 + cid),
    }


def launch(adapter, ctx, image: str):
    procs = []
    for cid in range(ctx.consumer_count):
        argv = ["docker", "run", "--rm", "--network", "host", "--name", f"bench-debezium-{cid}"]
        for key, value in _debezium_env(adapter, ctx, cid).items():
            argv += ["-e", f"{key}={value}"]
        argv.append(image)
        procs.append(subprocess.Popen(argv, text=True))
    return procs
