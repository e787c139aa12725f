import { LRUCache } from 'lru-cache';
import { pool } from '../db';
import { singleton } from '../singleton';
import { bind, param, statement } from '../sql';
import { outsideScopes } from '../tenant-scope';
import type { Topic } from './listener';

/** Milliseconds for which a version counts as current. This time begins when the query for the version is sent. */
export const VERSION_LIFETIME = 1_000;

/** Maximum number of records whose versions are kept in memory. */
const MAX_RECORDS = 20_000;

/** A query for the version of a record. `version` is a promise until the query has ended. */
type Check = { sentAt: number; version: string | Promise<string> };

const READ = statement<{ version: string }>('cache-version')`
  SELECT version FROM cache_versions WHERE topic = ${param.text('topic')} AND id = ${param.text('id')}`;

function checks(): LRUCache<string, Check> {
  return singleton('cache:versions', () => new LRUCache({ max: MAX_RECORDS }));
}

/**
 * Returns the version of a record, or an empty string if the record never changed. The version can be outdated by up to
 * one second, because calls for the same record within one second share one query.
 */
export function versionOf(topic: Topic, id: string): string | Promise<string> {
  const key = `${topic} ${id}`;
  const sentAt = performance.now();
  const known = checks().get(key);
  if (known && sentAt - known.sentAt < VERSION_LIFETIME) return known.version;
  const check: Check = { sentAt, version: readVersion(topic, id) };
  checks().set(key, check);
  const current = () => checks().peek(key) === check;
  Promise.resolve(check.version).then(
    (version) => {
      check.version = version;
    },
    () => current() && checks().delete(key),
  );
  return check.version;
}

async function readVersion(topic: Topic, id: string): Promise<string> {
  const { rows } = await outsideScopes(() => pool().query<{ version: string }>(bind(READ, { topic, id })));
  return rows[0]?.version ?? '';
}
