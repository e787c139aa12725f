import type { LRUCache } from 'lru-cache';
import type { Offering } from './records';

/** A service as JSON, with the locations where it is offered. */
export type ServiceJson = { id: string; json: Buffer; locationIds: readonly string[] };

/** A specialist as JSON, with the visible offerings. A query's filters are compared with these offerings. */
export type SpecialistJson = { id: string; json: Buffer; offerings: readonly Offering[] };

/** A page of services and their locations as JSON. `last` is the id of the last service, or null if no page follows. */
export type ServicesPage = { json: Buffer; last: string | null };

/** The catalog in one language, for all applications with the same allowed locations. Lists are ordered by id. */
export type View = {
  services: readonly ServiceJson[];
  /** The locations as JSON, by location id. */
  locations: ReadonlyMap<string, Buffer>;
  specialists: readonly SpecialistJson[];
  /** The most recently used pages of services, by limit and cursor. */
  pages: LRUCache<string, ServicesPage>;
};
