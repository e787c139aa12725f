import type { LRUCache } from 'lru-cache';
import type { Offering } from './records';

/** A text without the language of the view is in another one. */
export type RecordJson = { json: Buffer; languages: ReadonlySet<string> };

export type ServiceJson = RecordJson & { id: string; locationIds: readonly string[] };

export type SpecialistJson = RecordJson & { id: string; offerings: readonly Offering[] };

/**
 * `last` is the id of the last service, or null if no page follows. `languages` is the Content-Language,
 * `digest` the hash of `json` and `last`.
 */
export type ServicesPage = { json: Buffer; digest: Buffer; last: string | null; languages: string };

/** For all applications with the same allowed locations. Lists are ordered by id. */
export type View = {
  services: readonly ServiceJson[];
  /** By location id. */
  locations: ReadonlyMap<string, RecordJson>;
  specialists: readonly SpecialistJson[];
  /** By limit and cursor. */
  pages: LRUCache<string, ServicesPage>;
};
