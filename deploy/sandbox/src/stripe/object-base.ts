/**
 * Stripe's objects as the sandbox keeps and shows them: the fields a platform of this kind reads. Amounts are whole
 * cents, times are seconds since 1970, as on Stripe's wire; arithmetic on them is done in bigint.
 */
export type Metadata = Record<string, string>;

/** What almost every object has. */
export interface Base {
  id: string;
  livemode: false;
  created: number;
}
