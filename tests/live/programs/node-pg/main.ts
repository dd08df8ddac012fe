import pg from "pg";

import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";
import { address, placed, told, traced } from "./shop.js";

const pool = new pg.Pool(address);
const client = await pool.connect();
const sent = await traced(async () => {
  await client.query("begin");
  await publish(client, "7", placed, { tenant: "eu" });
  await client.query("rollback");
  await client.query("begin");
  const id = await publish(client, "7", placed, { tenant: "eu" });
  await client.query("commit");
  return id;
});
client.release();
await told(sent, (messageId, fail) =>
  once(pool, "node-pg", messageId, async (own) => {
    await own.query("insert into work values ($1, $2)", ["node-pg", messageId]);
    if (fail) throw new Error("undone");
  }),
);
await pool.end();
