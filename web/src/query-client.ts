import { QueryClient } from "@tanstack/react-query";

/** Answers never go stale by themselves: acts put their result into the cache, and the live stream says what changed. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        refetchInterval: false,
      },
    },
  });
