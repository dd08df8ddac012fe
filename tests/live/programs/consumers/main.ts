// A consumer of Kafka with the generated code of each mode; SHOP_KILLED kills it when it commits offsets.
import { Kafka, logLevel } from "kafkajs";
import { connect, type Socket } from "node:net";
import pg from "pg";
import { PrismaPg } from "@prisma/adapter-pg";

import { PrismaClient } from "./client/client.js";
import * as ids from "./ids/consumer.js";
import * as marks from "./marks/consumer.js";

const topic = process.env["SHOP_TOPIC"]!;
const mode = process.env["SHOP_MODE"]!;
const address = JSON.parse(process.env["SHOP_ADDRESS"]!);
const limits = { deadLetters: `${topic}-dead`, batch: 20, attempts: 3, firstPause: 10, longestPause: 500 };
const failed = new Set<number>();

/** Kills the process when a request to commit offsets is written. */
function killing({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }): Socket {
  const socket = connect({ host, port }, onConnect);
  const write = socket.write.bind(socket) as (...values: unknown[]) => boolean;
  socket.write = ((request: Buffer, ...rest: unknown[]) => {
    if (request[4] === 0 && request[5] === 8) process.kill(process.pid, "SIGKILL");
    return write(request, ...rest);
  }) as typeof socket.write;
  return socket;
}

/** One effect. The message 13 always fails, 26 is rejected, others fail at first after their effect. */
async function handled(
  message: { value: Buffer | null },
  Reject: new (text: string) => Error,
  execute: (statement: string, values: number[]) => PromiseLike<unknown>,
): Promise<void> {
  const number = Number(message.value);
  await execute(`insert into "effect ${mode}" (worker, number) values ($1, $2)`, [process.pid, number]);
  if (number === 13) throw new Error("a defect");
  if (number === 26) throw new Reject("no such customer");
  if (number % 7 === 0 && !failed.has(number)) {
    failed.add(number);
    throw new Error("an error of the handler");
  }
  if (number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

const kafka = new Kafka({
  brokers: [process.env["SHOP_BROKERS"]!],
  logLevel: logLevel.NOTHING,
  ...(process.env["SHOP_KILLED"] ? { socketFactory: killing } : {}),
});
const consumer = kafka.consumer({ groupId: topic, sessionTimeout: 6000, heartbeatInterval: 500, maxWaitTimeInMs: 200 });
const producer = kafka.producer();
await producer.connect();
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
const pool = new pg.Pool(address);
pool.on("error", console.warn); // of an idle connection
const prisma = new PrismaClient({ adapter: new PrismaPg(address) });
const clients = { consumer, producer, ...limits };
const settings =
  mode === "message-id"
    ? ids.processing({
        ...clients,
        pool,
        name: "billing",
        handle: (client, message) =>
          handled(message, ids.Reject, (statement, values) => client.query(statement, values)),
      })
    : marks.processing({
        ...clients,
        prisma,
        marks: { consumer: "billing", first: 1n },
        handle: (transaction, message) =>
          handled(message, marks.Reject, (statement, values) => transaction.$executeRawUnsafe(statement, ...values)),
      });
process.on("SIGTERM", async () => {
  await consumer.disconnect();
  await producer.disconnect();
  await pool.end();
  await prisma.$disconnect();
});
await consumer.run({ autoCommit: false, ...settings });
