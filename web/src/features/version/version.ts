import { useQuery } from "@tanstack/react-query";
import { ApiError, api } from "../../api.ts";

/** The product's version; undefined while it is asked for, and when it could not be had. */
export function useVersion(): string | undefined {
  return useQuery({ queryKey: ["/api/version"], queryFn: readVersion }).data;
}

/** The schema library comes along only now, after the first paint: no public page needs it to show itself. */
async function readVersion({ signal }: { signal: AbortSignal }): Promise<string> {
  const { Version } = await import("@tributary/contracts/http/gateway");
  try {
    return (await api(Version, "GET /api/version", { signal })).version;
  } catch (cause) {
    throw cause instanceof ApiError ? new Error("Failed to fetch version", { cause }) : cause;
  }
}
