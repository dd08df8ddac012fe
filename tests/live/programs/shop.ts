// What the programs in TypeScript have in common; it is put beside them as `shop`.
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";

import { orderPlaced } from "./box/events.js";
import { type Marks, messageKey, SequenceGap } from "./marks/inbox.js";
import { PartitionFenced, type Position } from "./positions/inbox.js";

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

export const placed = orderPlaced({
  orderId: "7",
  at: "2026-01-02T03:04:05Z",
  lines: [{ sku: "a'\"ä" }],
});
export const address = {
  host: process.env["SHOP_HOST"]!,
  port: Number(process.env["SHOP_PORT"]),
  user: process.env["SHOP_USER"]!,
  password: process.env["SHOP_PASSWORD"]!,
  database: process.env["SHOP_DATABASE"]!,
};

/** Works within the span that the environment names. */
export function traced<R>(work: () => Promise<R>): Promise<R> {
  const [, traceId, spanId] = process.env["TRACEPARENT"]!.split("-");
  const span = { traceId: traceId!, spanId: spanId!, traceFlags: 1 };
  return context.with(trace.setSpanContext(context.active(), span), work);
}

/** The inboxes of a program. */
export interface Inboxes {
  once(messageId: string, fail: boolean): Promise<boolean>;
  marked(of: Marks, key: string, sequence: bigint, fail: boolean): Promise<boolean>;
  placed(position: Position, generation: number, fail: boolean): Promise<boolean>;
  taken(position: Position, generation: number): Promise<bigint>;
}

/** Prints what the test asks for. */
export async function told(consumer: string, sent: string, of: Inboxes): Promise<void> {
  const handled: unknown[] = [await of.once(sent, false), await of.once(sent, false)];
  handled.push(await of.once(crypto.randomUUID(), true).catch((error: Error) => error.message));
  console.log(JSON.stringify({ sent, handled, answers: await steps(consumer, of) }));
}

export async function failing(fail: boolean): Promise<void> {
  if (fail) throw new Error("undone");
}

/** The answers to the steps of the test. */
async function steps(consumer: string, of: Inboxes): Promise<string[]> {
  const given = JSON.parse(process.env["SHOP_STEPS"]!);
  const { topic, partition } = given;
  const answers: string[] = [];
  for (const [digits, number, acceptGaps, fail] of given.marks) {
    const key = messageKey(topic, partition, digits === null ? null : Buffer.from(digits, "hex"));
    const own = { consumer, first: 1n, acceptGaps };
    answers.push(await answer(of.marked(own, key, BigInt(number), fail)));
  }
  for (const [kind, offset, generation, fail] of given.offsets) {
    const position = { topic, partition, offset: BigInt(offset) };
    const taken = kind === "take";
    const asked = taken ? of.taken(position, generation) : of.placed(position, generation, fail);
    answers.push(await answer(asked));
  }
  return answers;
}

function answer(asked: Promise<boolean | bigint>): Promise<string> {
  return asked.then(
    (told) => (typeof told === "bigint" ? String(told) : told ? "new" : "duplicate"),
    (error: Error) => {
      if (error instanceof SequenceGap) return "gap";
      if (error instanceof PartitionFenced) return "fenced";
      if (error.message === "undone") return "undone";
      throw error;
    },
  );
}
