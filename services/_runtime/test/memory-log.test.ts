import { randomUUID } from "node:crypto";
import { MemoryLog } from "../src/testing/memory-log.ts";
import { keepsItsWord } from "./suites/log.ts";

keepsItsWord("the log that tests tell", async () => {
  const log = new MemoryLog("program");
  return {
    log,
    record: async (stream, events) => log.record(stream, events, "2026-01-05T12:00:00.000Z", randomUUID),
  };
});
