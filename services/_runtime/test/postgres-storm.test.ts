import { databaseFor } from "./database.ts";
import { standsStorms } from "./suites/storm.ts";

standsStorms("the store and log in PostgreSQL", async () => {
  const database = await databaseFor({ name: "program", logs: ["program"], tables: [] });
  return { database, log: "program", reader: { kind: "postgres", url: database.readerUrl } };
});
