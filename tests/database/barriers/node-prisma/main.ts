import { PrismaMariaDb } from "@prisma/adapter-mariadb";
import { PrismaPg } from "@prisma/adapter-pg";

import { outcome, transaction } from "./barrier/barrier.js";
import { PrismaClient } from "./client/client.js";
import { address, steps } from "./steps.js";

const adapter =
  process.env["SHOP_DIALECT"] === "postgres" ? new PrismaPg(address) : new PrismaMariaDb(address);
const prisma = new PrismaClient({ adapter });
await steps(
  (id, more) =>
    transaction(prisma, id, async (own) => {
      await own.orders.create({ data: { id } });
      await more();
    }),
  (id) => outcome(prisma, id),
);
await prisma.$disconnect();
