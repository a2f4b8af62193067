import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { bundleFor } from "../../../deploy/scripts/bundle.mjs";

/** What a program says: the name of the message, and whatever goes with it. */
export type Said = { readonly say: string } & Record<string, unknown>;

/** A process of its own, started from test/programs, that talks over IPC. It is killed with -9 when the test ends, if not before. */
export class Program {
  readonly #child: ChildProcess;
  readonly #said: Said[] = [];
  #errors = "";
  #silent = false;
  #changed: () => void = () => undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (message) => {
      this.#said.push(message as Said);
      this.#changed();
    });
    child.stderr!.on("data", (part) => {
      this.#errors += part;
    });
    child.on("exit", () => this.#changed());
    child.on("disconnect", () => {
      this.#silent = true;
      this.#changed();
    });
  }

  /** Starts a program with its configuration. */
  static async start(name: string, config: object): Promise<Program> {
    const entry = await bundleFor(fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url)));
    const child = spawn(process.execPath, ["--enable-source-maps", entry, JSON.stringify(config)], {
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
    const program = new Program(child);
    onTestFinished(() => program.kill());
    return program;
  }

  /** Waits for the next message of this name that has not been taken yet, and takes it. Rejects when the process ends without it. */
  async hears<T = Said>(say: string): Promise<T> {
    for (;;) {
      const at = this.#said.findIndex((message) => message.say === say);
      if (at >= 0) return this.#said.splice(at, 1)[0] as T;
      if (this.ended && this.#silent)
        throw new Error(`the program ended before it said ${say}: ${this.#errors}`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** Whether the process is gone. */
  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  tell(message: Said): void {
    this.#child.send(message, () => undefined);
  }

  /** Sends a signal: SIGSTOP holds every thread of it, SIGCONT lets it go on. */
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGTERM"): void {
    this.#child.kill(name);
  }

  /** kill -9; resolves when the process is gone. */
  async kill(): Promise<void> {
    if (this.ended) return;
    this.#child.kill("SIGKILL");
    await this.end();
  }

  /** Resolves when the process is gone, with its exit code. */
  async end(): Promise<number | null> {
    if (!this.ended) await new Promise((resolve) => this.#child.once("exit", resolve));
    return this.#child.exitCode;
  }
}
