import mysql from "mysql2/promise";

import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";
import * as marks from "./marks/inbox.js";
import * as positions from "./positions/inbox.js";
import { address, failing, placed, told, traced } from "./shop.js";

const pool = mysql.createPool(address);
const connection = await pool.getConnection();
const sent = await traced(async () => {
  await connection.beginTransaction();
  await publish(connection, "7", placed, { tenant: "eu" });
  await connection.rollback();
  await connection.beginTransaction();
  const id = await publish(connection, "7", placed, { tenant: "eu" });
  await connection.commit();
  return id;
});
connection.release();
await told("node-mysql2", sent, {
  once: (messageId, fail) =>
    once(pool, "node-mysql2", messageId, async (own) => {
      await own.execute("insert into work values (?, ?)", ["node-mysql2", messageId]);
      await failing(fail);
    }),
  marked: (of, key, sequence, fail) => marks.once(pool, of, key, sequence, () => failing(fail)),
  placed: (position, generation, fail) =>
    positions.once(pool, "node-mysql2", position, generation, () => failing(fail)),
  taken: (position, generation) => positions.take(pool, "node-mysql2", position, generation),
});
await pool.end();
