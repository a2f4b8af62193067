import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Superuser address of the one PostgreSQL of this run; a test makes databases of its own on it. */
    postgresUrl: string;
  }
}
