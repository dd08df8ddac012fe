// What the programs in TypeScript have in common; it is put beside them.
import { OutcomeDecided, type Answer } from "./barrier/barrier.js";

export const address = {
  host: process.env["SHOP_HOST"]!,
  port: Number(process.env["SHOP_PORT"]),
  user: process.env["SHOP_USER"]!,
  password: process.env["SHOP_PASSWORD"]!,
  database: process.env["SHOP_DATABASE"]!,
};

/** Prints what comes of transactions, each of which places an order and then does more, and of check-backs. */
export async function steps(
  transaction: (id: string, more: () => Promise<void>) => Promise<void>,
  outcome: (id: string) => Promise<Answer>,
): Promise<void> {
  async function asked(id: string): Promise<string> {
    const answer = await outcome(id);
    if ((answer.outcome === "unknown") !== (answer.reason !== "")) throw new Error(answer.reason);
    return answer.outcome;
  }
  async function failure(id: string, more: () => Promise<void>): Promise<string> {
    try {
      await transaction(id, more);
    } catch (error) {
      return error instanceof OutcomeDecided ? "decided" : (error as Error).message;
    }
    return "done";
  }
  const nothing = async (): Promise<void> => {};
  await transaction("m1", nothing);
  const all = [await asked("m1"), await asked("m2")];
  all.push(await failure("m2", nothing), await failure("m1", nothing));
  all.push(await failure("m3", async () => { throw new Error("undone"); }), await asked("m3"));
  await transaction("m4", async () => { all.push(await asked("m4")); });
  all.push(await asked("m4"));
  console.log(JSON.stringify(all));
}
