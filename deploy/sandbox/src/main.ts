import { startSandbox } from "./sandbox.ts";

/** Starts the sandbox as a process of its own, from its environment; prints one JSON line when it is listening. */
async function main(): Promise<void> {
  const { SANDBOX_PORT, SANDBOX_DATA, SANDBOX_SEED, SANDBOX_CLOCK, HOST, NODE_ENV } = process.env;
  if (NODE_ENV === "production") throw new Error("The partner sandbox refuses to start in production");
  if (HOST !== undefined && HOST !== "127.0.0.1" && HOST !== "localhost")
    throw new Error(`The partner sandbox listens on 127.0.0.1 only; HOST=${HOST} is refused`);
  if (!SANDBOX_DATA) throw new Error("SANDBOX_DATA must name the directory of the sandbox's journal");
  const port = Number(SANDBOX_PORT ?? 0);
  const seed = Number(SANDBOX_SEED ?? 1);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`SANDBOX_PORT=${SANDBOX_PORT} is no port`);
  if (!Number.isInteger(seed)) throw new Error(`SANDBOX_SEED=${SANDBOX_SEED} is no whole number`);

  const sandbox = await startSandbox({
    port,
    seed,
    directory: SANDBOX_DATA,
    clock: SANDBOX_CLOCK || "ticking",
  });
  process.stdout.write(`${JSON.stringify({ sandbox: sandbox.url })}\n`);
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      sandbox.close().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`sandbox: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
}

main().catch((error: unknown) => {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
