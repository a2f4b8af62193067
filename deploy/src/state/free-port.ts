import { createServer } from "node:net";

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  return port ?? (await freePort());
}

/** Whether this port of 127.0.0.1 can be listened on at this moment. */
export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" || error.code === "EACCES" ? resolve(null) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : null));
    });
  });
}
