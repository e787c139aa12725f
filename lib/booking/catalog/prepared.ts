import type { Offering } from './records';

/** A record ready to be sent: its id, its JSON as bytes, and what it is joined with. */
export type Prepared = { id: string; json: Buffer; locationIds: readonly string[] };

/** A specialist ready to be sent, with the offerings by which filters choose. */
export type PreparedSpecialist = { id: string; json: Buffer; offerings: readonly Offering[] };

/** What one set of allowed locations sees of a catalog, in one language, in the order of ids. */
export type View = {
  services: readonly Prepared[];
  /** Location id → JSON. */
  locations: ReadonlyMap<string, Buffer>;
  specialists: readonly PreparedSpecialist[];
};
