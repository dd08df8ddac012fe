import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { PrismaPg } from "@prisma/adapter-pg";

import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";
import { PrismaClient } from "./client/client.js";
import { address, placed, told, traced } from "./shop.js";

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
await told(sent, (messageId, fail) =>
  once(prisma, "node-prisma", messageId, async (transaction) => {
    await transaction.work.create({ data: { consumer: "node-prisma", messageId } });
    if (fail) throw new Error("undone");
  }),
);
await prisma.$disconnect();
