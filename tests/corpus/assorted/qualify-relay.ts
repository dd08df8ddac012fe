// Qualifies the relay image: the bytes of a row have to arrive unchanged, once.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);
const docker = (...args: string[]) => run("docker", args);
const temp = await mkdtemp("/tmp/qualify-");
const image = "quay.io/debezium/server:3.5.0.Final";

await mkdir(resolve(temp, "config"));
await mkdir(resolve(temp, "data"));
await writeFile(
  resolve(temp, "config/application.properties"),
  [
    "debezium.sink.type=nats-jetstream",
    "debezium.sink.nats-jetstream.url=nats://host.docker.internal:44310",
    "debezium.sink.nats-jetstream.create-stream=false",
    "debezium.sink.nats-jetstream.async.enabled=false",
    "debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector",
    "debezium.source.database.hostname=db",
    "debezium.source.database.port=5432",
    "debezium.source.database.user=probe",
    "debezium.source.database.password=throwaway-probe",
    "debezium.source.database.dbname=probe",
    "debezium.source.plugin.name=pgoutput",
    "debezium.source.slot.name=relay_probe",
    "debezium.source.publication.name=relay_probe",
    "debezium.source.publication.autocreate.mode=disabled",
    "debezium.source.topic.prefix=probe",
    "debezium.source.table.include.list=public.letters",
    "debezium.source.snapshot.mode=initial",
    "debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore",
    "debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat",
    "debezium.source.offset.flush.interval.ms=0",
    "debezium.source.max.batch.size=8",
    "debezium.source.max.queue.size=24",
    "debezium.format.key=simplestring",
    "debezium.format.value=simplestring",
    "debezium.format.header=json",
    "debezium.format.header.class=org.apache.kafka.connect.storage.SimpleHeaderConverter",
    "debezium.transforms=letters",
    "debezium.transforms.letters.type=io.debezium.transforms.outbox.EventRouter",
    "debezium.transforms.letters.table.field.event.id=letter_id",
    "debezium.transforms.letters.table.field.event.key=thread",
    "debezium.transforms.letters.table.field.event.payload=sealed",
    "debezium.transforms.letters.table.fields.additional.placement=letter_id:header:Nats-Msg-Id",
    "debezium.transforms.letters.route.by.field=subject",
    "debezium.transforms.letters.route.topic.replacement=$${routedByValue}",
  ].join("\n"),
);

const client = new pg.Client("postgres://probe:throwaway-probe@127.0.0.1:25440/probe");
await client.connect();
await client.query(`create table letters (
    bucket integer not null, letter_id uuid not null, subject text not null,
    thread text not null, sealed text not null, primary key (bucket, letter_id)
  ) partition by range (bucket);
  create table letters_a partition of letters for values from (0) to (64);
  create publication relay_probe for table letters with (publish='insert', publish_via_partition_root=true);`);

await docker("run", "-d", "--network", "probe", "-v", `${temp}/config/application.properties:/debezium/config/application.properties:ro`,
  "-v", `${temp}/data:/debezium/data`, image);
