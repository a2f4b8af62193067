import { connect } from "node:net";
import { createInterface } from "node:readline";

const CONNECTIONS = 32;
const END = "\r\n\r\n";

/** One connection kept alive: asks, waits for the whole answer, asks again. Answers have no body. Gives how many came. */
function ask(address: URL, request: string, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(address.port), address.hostname);
    let answers = 0;
    let text = "";
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("connect", () => socket.write(request));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith(END)) return;
      if (!text.startsWith("HTTP/1.1 302 ")) reject(new Error(`no redirect: ${text.slice(0, 200)}`));
      text = "";
      answers++;
      if (performance.now() < until) socket.write(request);
      else socket.end(() => resolve(answers));
    });
  });
}

/** A process of its own that asks over and over: per line of input, `milliseconds address`, one line with the answers it got. */
createInterface({ input: process.stdin }).on("line", (line) => {
  const [milliseconds, href] = line.split(" ") as [string, string];
  const address = new URL(href);
  const headers = [
    `GET ${address.pathname}${address.search} HTTP/1.1`,
    `host: ${address.host}`,
    "user-agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile",
    "referer: https://www.instagram.com/",
  ];
  const request = `${headers.join("\r\n")}${END}`;
  const until = performance.now() + Number(milliseconds);
  Promise.all(Array.from({ length: CONNECTIONS }, () => ask(address, request, until))).then(
    (answers) => process.stdout.write(`${answers.reduce((sum, count) => sum + count, 0)}\n`),
    (error: Error) => process.stdout.write(`${error.message.replaceAll(/\s+/g, " ")}\n`),
  );
});
