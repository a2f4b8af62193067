import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { checkoutRoot } from "../state/checkout.ts";

/** Another process of this bench, asked by lines and answering by lines. */
export interface Helper {
  /** Sends a line and gives the next line of the answer. */
  ask(line: string): Promise<string>;
  /** The next line it says of itself. */
  next(): Promise<string>;
  /** Closes its input and waits until it has ended. */
  end(): Promise<void>;
}

/** Runs another TypeScript entry of this directory as a process of its own. What goes wrong in it stands on the screen. */
export function helper(entry: string, ...args: readonly string[]): Helper {
  const root = checkoutRoot();
  const script = join(root, "deploy/scripts/run.mjs");
  const child = spawn(process.execPath, [script, `deploy/src/bench/${entry}`, ...args], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${entry} ended without an answer`);
    return value;
  };
  return {
    next,
    async ask(line) {
      child.stdin.write(`${line}\n`);
      return await next();
    },
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
