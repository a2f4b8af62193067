import { controlRefusal } from "./strict.ts";

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** The instant an ISO 8601 duration of weeks, days (of 24 hours), hours, minutes and seconds after another. */
export function later(from: Date, duration: string): Date {
  const parts = DURATION.exec(duration);
  if (!parts || duration.length < 3)
    throw controlRefusal({
      kind: "invalid",
      path: "advance",
      message: `advance must be a duration such as P3D or PT1H, not ${duration}`,
    });
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(
    from.getTime() + ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000,
  );
}
