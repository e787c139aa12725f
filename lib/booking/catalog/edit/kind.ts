import type { z } from 'zod';
import type { Db } from '@/lib/platform/db';
import type { IdPrefix } from '@/lib/platform/ids';
import type { Languages } from '../records';

/** What owners edit one by one. */
export type KindName = 'service' | 'location' | 'specialist';

/** What is wrong at a place of a record. */
export type Issue = { path: readonly PropertyKey[]; message: string };

/** What every record has, whatever else it says. */
export type AnyDoc = { published: boolean };

/** A record with the id under which it is written. */
export type Entry<Doc> = { id: string; doc: Doc };

/** A record as it stands in the database, with the version that an editor must have seen. */
export type Stored<Doc> = Entry<Doc> & { version: number };

/**
 * One kind of record: how it is written by owners, and how the tables hold it. Everything that is done to a record
 * (create, edit, publish, import) is written once, over this.
 */
export type Kind<Doc extends AnyDoc> = {
  name: KindName;
  prefix: IdPrefix;
  schema: (languages: Languages) => z.ZodType<Doc>;
  /** Returns those records of the tenant, or all, in the order of ids. */
  read: (tx: Db, tenantId: string, ids: readonly string[] | null) => Promise<Stored<Doc>[]>;
  count: (tx: Db, tenantId: string) => Promise<number>;
  /** Returns what is wrong with a record beside others of the catalog; none when left out. */
  check?: (tx: Db, tenantId: string, entry: Entry<Doc>) => Promise<Issue[]>;
  insert: (tx: Db, tenantId: string, entries: readonly Entry<Doc>[]) => Promise<void>;
  /** Replaces records, hours and all, and raises their versions. */
  replace: (tx: Db, tenantId: string, entries: readonly Entry<Doc>[]) => Promise<void>;
};
