import type { z } from 'zod';
import type { Db } from '@/lib/platform/db';
import type { IdPrefix } from '@/lib/platform/ids';
import type { Languages } from '../records';

export type KindName = 'service' | 'location' | 'specialist';

/** A path within a record. */
export type Issue = { path: readonly PropertyKey[]; message: string };

export type AnyDoc = { published: boolean };

export type Entry<Doc> = { id: string; doc: Doc };

/** The version is for optimistic locking. */
export type Stored<Doc> = Entry<Doc> & { version: number };

/**
 * The schema of one kind of catalog record, and the functions that read and write it, so that the code that creates,
 * edits, publishes, and imports is the same for all.
 */
export type Kind<Doc extends AnyDoc> = {
  name: KindName;
  prefix: IdPrefix;
  schema: (languages: Languages) => z.ZodType<Doc>;
  /** Ordered by id. Null ids stand for all records. */
  read: (tx: Db, tenantId: string, ids: readonly string[] | null) => Promise<Stored<Doc>[]>;
  count: (tx: Db, tenantId: string) => Promise<number>;
  /** Checks a record against other records in the catalog. */
  check?: (tx: Db, tenantId: string, entry: Entry<Doc>) => Promise<Issue[]>;
  insert: (tx: Db, tenantId: string, entries: readonly Entry<Doc>[]) => Promise<void>;
  /** With their hours. Increments their versions. */
  replace: (change: { tx: Db; tenantId: string; now: Date }, entries: readonly Entry<Doc>[]) => Promise<void>;
};
