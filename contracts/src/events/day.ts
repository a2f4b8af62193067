import { z } from "zod";
import { day } from "../dates.ts";
import { eventsOf } from "../event.ts";

const shape = z.object({ date: day });

/**
 * A day of the marketplace began, said by the service to every partition of its log on the stream `day/{salt}`: nothing
 * decided on the day before can follow it. Told apart by who says it.
 */
export const DayBegan = {
  catalog: eventsOf("catalog")("DayBegan", shape),
  program: eventsOf("program")("DayBegan", shape),
} as const;
