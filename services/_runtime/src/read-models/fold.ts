import type { Heard } from "@tributary/contracts/event";
import { z } from "zod";
import { type Hear, heardFrom } from "../log/heard.ts";
import type { Recorded } from "../log/log.ts";
import type { When } from "../stream.ts";
import type { ReadModel } from "./read-model.ts";

/** One step of a fold: an event as heard, the documents it concerns, and how it changes each. */
export interface Step {
  readonly event: Recorded;
  readonly heard: Heard;
  readonly keys: readonly string[];
  readonly when: When<unknown>;
}

/** What a read model hears of which source, ready to fold: declared folds by type. */
export class Folding {
  readonly sources: readonly string[];
  readonly #bySource = new Map<string, Map<string, When<unknown>>>();

  constructor(readonly model: ReadModel<never>) {
    for (const when of model.on as unknown as readonly When<unknown>[]) {
      const types = this.#bySource.get(when.event.owner) ?? new Map<string, When<unknown>>();
      types.set(when.event.type, when);
      this.#bySource.set(when.event.owner, types);
    }
    this.sources = [...this.#bySource.keys()];
  }

  /** The step an event means here; null when it isn't heard. A field that doesn't fit throws. */
  step(source: string, event: Recorded, hear: Hear = heardFrom): Step | null {
    const when = this.#bySource.get(source)?.get(event.type);
    if (!when) return null;
    const heard = hear(source, event, when.event);
    const key = this.model.key(heard);
    const keys = key === null ? [] : typeof key === "string" ? [key] : [...new Set(key)];
    return { event, heard, keys, when };
  }

  /** Moves one document (its stored form null when it isn't there) and gives its next stored form. */
  apply({ when, heard }: Step, decoded: unknown): unknown {
    return when.fold(decoded, heard as Heard<string, never>);
  }

  decode(doc: unknown): unknown {
    return doc === null ? null : z.decode(this.model.schema, doc as never);
  }

  encode(document: unknown): unknown {
    return document === null || document === undefined
      ? null
      : z.encode(this.model.schema, document as never);
  }
}
