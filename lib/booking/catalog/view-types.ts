import type { Offering } from './records';

/** A service as JSON, with the locations where it is offered. */
export type ServiceJson = { id: string; json: Buffer; locationIds: readonly string[] };

/** A specialist as JSON, with the offerings that filters match. */
export type SpecialistJson = { id: string; json: Buffer; offerings: readonly Offering[] };

/** The part of a catalog that one set of allowed locations shows, in one language. Lists are in the order of ids. */
export type View = {
  services: readonly ServiceJson[];
  /** Location id → JSON. */
  locations: ReadonlyMap<string, Buffer>;
  specialists: readonly SpecialistJson[];
};
