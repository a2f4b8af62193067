import { expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";

test("what was once answered is never stale, never asked again by itself, and a failure is not retried", () => {
  expect(createQueryClient().getDefaultOptions().queries).toEqual({
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: false,
  });
});
