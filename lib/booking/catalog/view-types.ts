import type { LRUCache } from 'lru-cache';
import type { Offering } from './records';

/** A record as JSON, with the languages of its texts. A text without the language of the view is in another one. */
export type RecordJson = { json: Buffer; languages: ReadonlySet<string> };

/** A service as JSON, with the locations where it is offered. */
export type ServiceJson = RecordJson & { id: string; locationIds: readonly string[] };

/** A specialist as JSON, with the visible offerings. A query's filters are compared with these offerings. */
export type SpecialistJson = RecordJson & { id: string; offerings: readonly Offering[] };

/**
 * A page of services and their locations as JSON. `last` is the id of the last service, or null if no page follows.
 * `languages` is the value of the header Content-Language.
 */
export type ServicesPage = { json: Buffer; last: string | null; languages: string };

/** The catalog in one language, for all applications with the same allowed locations. Lists are ordered by id. */
export type View = {
  services: readonly ServiceJson[];
  /** The locations as JSON, by location id. */
  locations: ReadonlyMap<string, RecordJson>;
  specialists: readonly SpecialistJson[];
  /** The most recently used pages of services, by limit and cursor. */
  pages: LRUCache<string, ServicesPage>;
};
