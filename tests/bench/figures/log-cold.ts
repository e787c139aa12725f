import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UNFILTERED } from '@/lib/control-center/requests/filter';
import { requestHistogram } from '@/lib/control-center/requests/histogram';
import { searchRequests } from '@/lib/control-center/requests/search';
import { type Connections, pool } from '@/lib/platform/db';
import { rowOfLatencies } from '../compare';
import type { Outcome, Row } from '../figure';
import { fillRequestLog } from '../request-log';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(5, 2);
const MONTH = 30 * 86_400_000;
/** Number of files that one shell process removes from the page cache. It runs `dd` once for each file. */
const FILES = 50;

/**
 * Measures reads of the Requests page while no part of the log is in memory. Three reads are searches with two filters.
 * Each filter matches few entries, and no index contains the columns of both. The fourth read is the histogram of the
 * busiest application. All reads cover 30 days. The value is the duration in milliseconds of the slowest read.
 */
export async function measureLogCold(stage: Stage): Promise<Outcome> {
  const { keyId, applicationId } = await fillRequestLog(stage);
  const [code, route] = ['service_unavailable', '/api/partner/v1/bookings'];
  const reads: [string, () => Promise<boolean>][] = [
    ['key and code, both rare', () => search(stage, { key_id: keyId, code })],
    ['key and route, both rare', () => search(stage, { key_id: keyId, route })],
    ['application and route, both rare', () => search(stage, { application_id: applicationId, route })],
    ['histogram of an application', () => histogram(stage)],
  ];
  const rows: Row[] = [];
  const notes: string[] = [];
  let longest = 0;
  for (const [label, read] of reads) {
    const latencies: number[] = [];
    let complete = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await emptyCaches(pool());
      const startedAt = performance.now();
      complete += Number(await read());
      latencies.push(performance.now() - startedAt);
    }
    rows.push(rowOfLatencies(label, latencies));
    notes.push(`${label}: ${complete} of ${ROUNDS} were complete`);
    longest = Math.max(longest, ...latencies);
  }
  return { value: longest, rows, notes };
}

const anyOf = ({ tenantId }: Stage) => {
  const to = new Date();
  return { ...UNFILTERED, tenantId, period: { from: new Date(to.getTime() - MONTH), to } };
};

/** Reads the first page of a search. Returns whether the search ended within its time limit. */
async function search(
  stage: Stage,
  filter: { key_id?: string; application_id?: string; code?: string; route?: string },
): Promise<boolean> {
  const first = { order: 'newest', cursor: null, back: false } as const;
  const page = await searchRequests({ ...anyOf(stage), ...filter }, first);
  return page.searched_to === null;
}

/**
 * Reads the histogram of the application to which almost all entries belong. Returns whether the entries were
 * counted within the time limit.
 */
async function histogram(stage: Stage): Promise<boolean> {
  const filter = { ...anyOf(stage), application_id: stage.applicationId };
  const { bars } = await requestHistogram(filter);
  return bars !== null;
}

/**
 * Removes the database's files from the buffers of PostgreSQL and from the page cache of the operating system. For the
 * page cache, runs GNU dd with the `nocache` flag, which drops only the pages of the given file. The files of other
 * processes stay in the page cache.
 * @throws Error if PostgreSQL or dd reports an error
 */
async function emptyCaches(pool: Connections): Promise<void> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_buffercache; CHECKPOINT');
  await pool.query('SELECT pg_buffercache_evict_all()');
  const { rows } = await pool.query<{ file: string }>(
    `SELECT current_setting('data_directory') || '/' || pg_relation_filepath('tenants') AS file`,
  );
  const directory = dirname(rows[0]?.file ?? '');
  const files = (await readdir(directory)).map((name) => join(directory, name));
  for (let at = 0; at < files.length; at += FILES) {
    // PostgreSQL can delete a file such as pg_internal.init at any time, so a missing file is not an error.
    const script = 'for file; do dd if="$file" iflag=nocache count=0 status=none || [ ! -e "$file" ] || exit; done';
    await promisify(execFile)('sh', ['-c', script, 'sh', ...files.slice(at, at + FILES)]);
  }
}
