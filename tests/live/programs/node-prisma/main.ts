import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { PrismaPg } from "@prisma/adapter-pg";

import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";
import { PrismaClient } from "./client/client.js";
import * as marks from "./marks/inbox.js";
import * as positions from "./positions/inbox.js";
import { address, failing, placed, told, traced } from "./shop.js";

const adapter =
  process.env["SHOP_DIALECT"] === "postgres" ? new PrismaPg(address) : new PrismaMariaDb(address);
const prisma = new PrismaClient({ adapter });
const sent = await traced(async () => {
  await prisma
    .$transaction(async (transaction) => {
      await publish(transaction, "7", placed, { tenant: "eu" });
      throw new Error("undone");
    })
    .catch(() => {});
  return prisma.$transaction((transaction) => publish(transaction, "7", placed, { tenant: "eu" }));
});
await told("node-prisma", sent, {
  once: (messageId, fail) =>
    once(prisma, "node-prisma", messageId, async (transaction) => {
      await transaction.work.create({ data: { consumer: "node-prisma", messageId } });
      await failing(fail);
    }),
  marked: (of, key, sequence, fail) => marks.once(prisma, of, key, sequence, () => failing(fail)),
  placed: (position, generation, fail) =>
    positions.once(prisma, "node-prisma", position, generation, () => failing(fail)),
  taken: (position, generation) => positions.take(prisma, "node-prisma", position, generation),
});
await prisma.$disconnect();
