import type { z } from 'zod';
import type { Db } from '@/lib/platform/db';
import type { IdPrefix } from '@/lib/platform/ids';
import type { Languages } from '../records';

export type KindName = 'service' | 'location' | 'specialist';

/** An error at a path within a record. */
export type Issue = { path: readonly PropertyKey[]; message: string };

export type AnyDoc = { published: boolean };

export type Entry<Doc> = { id: string; doc: Doc };

/** A stored record with its version, for optimistic locking. */
export type Stored<Doc> = Entry<Doc> & { version: number };

/**
 * The schema of one kind of catalog record, and the functions that read and write its records. With this type, the code
 * that creates, edits, publishes, and imports records is the same for all kinds.
 */
export type Kind<Doc extends AnyDoc> = {
  name: KindName;
  prefix: IdPrefix;
  schema: (languages: Languages) => z.ZodType<Doc>;
  /** Returns the tenant's records with these ids, ordered by id. If `ids` is null, returns all records. */
  read: (tx: Db, tenantId: string, ids: readonly string[] | null) => Promise<Stored<Doc>[]>;
  count: (tx: Db, tenantId: string) => Promise<number>;
  /** Checks a record against other records in the catalog, and returns an issue for each violation. */
  check?: (tx: Db, tenantId: string, entry: Entry<Doc>) => Promise<Issue[]>;
  insert: (tx: Db, tenantId: string, entries: readonly Entry<Doc>[]) => Promise<void>;
  /** Replaces records, including their hours, and increments their versions. */
  replace: (change: { tx: Db; tenantId: string; now: Date }, entries: readonly Entry<Doc>[]) => Promise<void>;
};
