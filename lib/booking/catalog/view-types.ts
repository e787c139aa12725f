import type { LRUCache } from 'lru-cache';
import type { Offering } from './records';

/** A service as JSON, with the locations where it is offered. */
export type ServiceJson = { id: string; json: Buffer; locationIds: readonly string[] };

/** A specialist as JSON, with the offerings that filters match. */
export type SpecialistJson = { id: string; json: Buffer; offerings: readonly Offering[] };

/** A page of services with their locations as JSON; `last` is the id of its last service, null on the last page. */
export type ServicesPage = { json: Buffer; last: string | null };

/** The part of a catalog that one set of allowed locations shows, in one language. Lists are in the order of ids. */
export type View = {
  services: readonly ServiceJson[];
  /** Location id → JSON. */
  locations: ReadonlyMap<string, Buffer>;
  specialists: readonly SpecialistJson[];
  /** The latest pages of services, by limit and cursor. */
  pages: LRUCache<string, ServicesPage>;
};
