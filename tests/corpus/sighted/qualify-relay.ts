// Qualification of the relay: real PostgreSQL, real NATS, real Debezium Server, throw-away containers.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import pg from "pg";
import { docker, eventually, launch, network, scratch } from "./harness";

const images = { relay: "quay.io/debezium/server:3.5.1.Final", postgres: "postgres:17", nats: "nats:2.11" };

await mkdir(resolve(scratch, "config"), { recursive: true });
await mkdir(resolve(scratch, "data"));
await writeFile(
	resolve(scratch, "config/application.properties"),
	[
		"debezium.sink.type=nats-jetstream",
		"debezium.sink.nats-jetstream.url=nats://host.docker.internal:45223",
		"debezium.sink.nats-jetstream.create-stream=false",
		"debezium.sink.nats-jetstream.async.enabled=false",
		"debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector",
		"debezium.source.database.hostname=pg",
		"debezium.source.database.port=5432",
		"debezium.source.database.user=probe",
		"debezium.source.database.password=throw-away-probe",
		"debezium.source.database.dbname=probe",
		"debezium.source.plugin.name=pgoutput",
		"debezium.source.slot.name=relay_probe",
		"debezium.source.publication.name=relay_probe",
		"debezium.source.publication.autocreate.mode=disabled",
		"debezium.source.topic.prefix=probe",
		"debezium.source.table.include.list=public.message_outbox",
		"debezium.source.snapshot.mode=initial",
		"debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore",
		"debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat",
		"debezium.source.offset.flush.interval.ms=0",
		"debezium.source.max.batch.size=16",
		"debezium.source.max.queue.size=32",
		"debezium.source.max.queue.size.in.bytes=2097152",
		"debezium.format.key=simplestring",
		"debezium.format.value=simplestring",
		"debezium.format.header=json",
		// plain header values, without JSON quotes
		"debezium.format.header.class=org.apache.kafka.connect.storage.SimpleHeaderConverter",
		"debezium.transforms=box",
		"debezium.transforms.box.type=io.debezium.transforms.outbox.EventRouter",
		"debezium.transforms.box.table.field.event.id=msg_id",
		"debezium.transforms.box.table.field.event.key=stream_key",
		"debezium.transforms.box.table.field.event.payload=envelope_text",
		"debezium.transforms.box.table.fields.additional.placement=msg_id:header:Nats-Msg-Id",
		"debezium.transforms.box.route.by.field=subject",
		"debezium.transforms.box.route.topic.replacement=$${routedByValue}",
	].join("\n"),
);

await launch("probe-pg", ["--network", network, "--network-alias", "pg", "-p", "127.0.0.1:26432:5432",
	"-e", "POSTGRES_USER=probe", "-e", "POSTGRES_PASSWORD=throw-away-probe", "-e", "POSTGRES_DB=probe",
	images.postgres, "-c", "wal_level=logical"]);
const db = new pg.Client({ host: "127.0.0.1", port: 26432, user: "probe", password: "throw-away-probe", database: "probe" });
await db.connect();
await db.query(`create table message_outbox (
	bucket integer not null, msg_id uuid not null, subject text not null, stream_key text not null,
	envelope_text text not null, primary key (bucket, msg_id)
) partition by range (bucket);
create table message_outbox_low partition of message_outbox for values from (0) to (256);
create table message_outbox_high partition of message_outbox for values from (256) to (512);
create publication relay_probe for table message_outbox with (publish='insert', publish_via_partition_root=true);`);

await launch("probe-relay", ["--network", network, "-v", `${resolve(scratch, "config")}:/debezium/config:ro`,
	"-v", `${resolve(scratch, "data")}:/debezium/data`, images.relay]);
await eventually(async () => (await docker("logs", "probe-relay")).includes("Starting streaming"), "relay streams");
assert.ok(true);
