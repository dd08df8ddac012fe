// What the programs in TypeScript have in common; it is put beside them as `shop`.
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";

import { orderPlaced } from "./box/events.js";

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

/** Prints what the test asks for. once: calls the inbox. */
export async function told(
  sent: string,
  once: (messageId: string, fail: boolean) => Promise<boolean>,
): Promise<void> {
  const handled: unknown[] = [await once(sent, false), await once(sent, false)];
  handled.push(await once(crypto.randomUUID(), true).catch((error: Error) => error.message));
  console.log(JSON.stringify({ sent, handled }));
}
