import { onTestFinished } from "vitest";
import { logger } from "../src/logs.ts";
import { PostgresDocumentStore } from "../src/read-models/postgres-store.ts";
import { openPool } from "../src/store/pool.ts";
import { databaseFor } from "./database.ts";
import { keepsDocuments, tins } from "./suites/document-store.ts";

keepsDocuments("PostgreSQL", async () => {
  const database = await databaseFor({ name: "program", logs: ["program"], tables: [] });
  const open = (version = 1): PostgresDocumentStore => {
    const pool = openPool(database.url, { max: 4, log: logger("documents", "silent") });
    onTestFinished(() => pool.end());
    return new PostgresDocumentStore(pool, tins(version));
  };
  return { store: open(), again: open };
});
