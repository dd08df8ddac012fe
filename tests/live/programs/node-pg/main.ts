import pg from "pg";

import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";
import * as marks from "./marks/inbox.js";
import * as positions from "./positions/inbox.js";
import { address, failing, placed, told, traced } from "./shop.js";

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
await told("node-pg", sent, {
  once: (messageId, fail) =>
    once(pool, "node-pg", messageId, async (own) => {
      await own.query("insert into work values ($1, $2)", ["node-pg", messageId]);
      await failing(fail);
    }),
  marked: (of, key, sequence, fail) => marks.once(pool, of, key, sequence, () => failing(fail)),
  placed: (position, generation, fail) =>
    positions.once(pool, "node-pg", position, generation, () => failing(fail)),
  taken: (position, generation) => positions.take(pool, "node-pg", position, generation),
});
await pool.end();
