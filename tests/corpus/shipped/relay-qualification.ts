import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { docker, launch, waitFor } from "./harness";

// Proves that rows of the outbox reach JetStream byte for byte and that a restart goes on from the stored offset.
const temp = await mkdtemp(join(tmpdir(), "relay-"));
const network = "relay-check";
const images = {
	postgres: "postgres:17-alpine",
	nats: "nats:2.11-alpine",
	debezium: process.env.RELAY_IMAGE ?? "debezium/server",
};

const startRelay = async () => {
	await launch("relay-server", [
		"--network",
		network,
		"--add-host",
		"host.docker.internal:host-gateway",
		"-v",
		`${resolve(temp, "config")}:/debezium/config:ro`,
		"-v",
		`${resolve(temp, "data")}:/debezium/data`,
		images.debezium,
	]);
};

await mkdir(resolve(temp, "config"), { recursive: true });
await mkdir(resolve(temp, "data"));
await writeFile(
	resolve(temp, "config/application.properties"),
	[
		"debezium.sink.type=nats-jetstream",
		"debezium.sink.nats-jetstream.url=nats://host.docker.internal:45223",
		"debezium.sink.nats-jetstream.create-stream=false",
		"debezium.sink.nats-jetstream.async.enabled=false",
		"debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector",
		"debezium.source.database.hostname=postgres",
		"debezium.source.database.port=5432",
		"debezium.source.database.user=rig",
		"debezium.source.database.password=throwaway-rig-only",
		"debezium.source.database.dbname=rig",
		"debezium.source.plugin.name=pgoutput",
		"debezium.source.slot.name=catalog_relay_check",
		"debezium.source.publication.name=catalog_relay_check",
		"debezium.source.publication.autocreate.mode=disabled",
		"debezium.source.topic.prefix=relaycheck",
		"debezium.source.table.include.list=public.dispatch_outbox",
		"debezium.source.snapshot.mode=initial",
		"debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore",
		"debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat",
		"debezium.source.offset.flush.interval.ms=0",
		"debezium.source.max.batch.size=16",
		"debezium.source.max.queue.size=32",
		"debezium.source.max.queue.size.in.bytes=2097152",
		"debezium.source.poll.interval.ms=100",
		"debezium.format.value=simplestring",
		"debezium.format.key=simplestring",
		"debezium.format.header=json",
		"debezium.format.header.class=org.apache.kafka.connect.storage.SimpleHeaderConverter",
		"debezium.transforms=outbox",
		"debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter",
		"debezium.transforms.outbox.table.field.event.id=message_id",
		"debezium.transforms.outbox.table.field.event.key=partition_ref",
		"debezium.transforms.outbox.table.field.event.payload=envelope_text",
		"debezium.transforms.outbox.table.fields.additional.placement=message_id:header:Nats-Msg-Id",
		"debezium.transforms.outbox.route.by.field=subject",
		"debezium.transforms.outbox.route.topic.replacement=$${routedByValue}",
	].join("\n"),
);
await docker("network", "create", network);
await launch("postgres", [
	"--network",
	network,
	"-p",
	"127.0.0.1:26432:5432",
	"-e",
	"POSTGRES_USER=rig",
	"-e",
	"POSTGRES_PASSWORD=throwaway-rig-only",
	"-e",
	"POSTGRES_DB=rig",
	images.postgres,
	"-c",
	"wal_level=logical",
]);
// A table of the rig, not the one of the migrations. The subject of a row is <class>.<kind>.
await docker("exec", "postgres", "psql", "-U", "rig", "-c", `
	create table dispatch_outbox (
		bucket integer not null, message_id uuid not null, kind text not null, subject text not null,
		partition_ref text not null, occurred_at timestamptz not null, envelope_text text not null,
		primary key (bucket, message_id));
	create publication catalog_relay_check for table dispatch_outbox with (publish='insert');`);
await startRelay();
await waitFor("snapshot published", 120_000);
