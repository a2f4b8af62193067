import { systemRandom } from "@tributary/runtime/ports/random";
import { expect, test } from "vitest";
import { parseTokenKeys, tokenCipher } from "../src/amazon/token-cipher.ts";

const [one, two] = [1, 2].map((fill) => Buffer.alloc(32, fill).toString("base64")) as [string, string];

test("a sealed token opens in its own place only", () => {
  const cipher = tokenCipher(one, systemRandom);
  const sealed = cipher.seal("Atzr|secret", "seller_tokens|b1|refresh_token");

  expect(cipher.open(sealed, "seller_tokens|b1|refresh_token")).toBe("Atzr|secret");
  expect(() => cipher.open(sealed, "seller_tokens|b2|refresh_token")).toThrow();
  expect(sealed).not.toContain("secret");
  expect(cipher.seal("Atzr|secret", "seller_tokens|b1|refresh_token")).not.toBe(sealed);
});

test("a changed byte is noticed", () => {
  const cipher = tokenCipher(one, systemRandom);
  const parts = cipher.seal("Atzr|secret", "x").split(".");
  const text = Buffer.from(parts[3]!, "base64url");
  text[0]! ^= 1;
  expect(() => cipher.open([...parts.slice(0, 3), text.toString("base64url")].join("."), "x")).toThrow();
});

test("after a rotation the new key seals and the old one still opens", () => {
  const before = tokenCipher(`a:${one}`, systemRandom).seal("old", "x");
  const rotated = tokenCipher(`b:${two},a:${one}`, systemRandom);

  expect(rotated.open(before, "x")).toBe("old");
  expect(rotated.seal("new", "x")).toMatch(/^b\./);
  expect(() => tokenCipher(`b:${two}`, systemRandom).open(before, "x")).toThrow("no key a");
});

test("a key that is not 32 bytes is refused", () => {
  expect(parseTokenKeys("c2hvcnQ=")).toBeNull();
  expect(parseTokenKeys(one)).toHaveLength(1);
});
