import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processorMilliseconds } from '@/tests/bench/processor';
import { residentMebibytes } from '@/tests/bench/resident';
import { callProcedure, makePerson, openSessionOf, type TrpcReply } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { BUSINESS, textOf } from './catalog-documents';

const MIB = 1024 * 1024;
/** Slightly less than the maximum size of a document. */
const SIZE = 15.9 * MIB;
/** Maximum MiB of memory, and maximum milliseconds of a processor, that the check of a document may take. */
const MAX_MEMORY = 200;
const MAX_TIME = 5_000;

let database: OwnDatabase;
let server: TestServer;
let check: (text: string) => Promise<TrpcReply>;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url });
  const cookie = await openSessionOf(await makePerson((await makeTenant()).id));
  check = (text) => {
    const input = { packed: gzipSync(text).toString('base64') };
    return callProcedure('catalog.transfer.check', { origin: server.origin, cookie, type: 'mutation', input });
  };
  // The first checks load the code, and start a thread.
  await check(textOf(BUSINESS));
  await check(textOf(BUSINESS).padEnd(SIZE));
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** Returns a document of the maximum size that repeats `unit` between `head` and `tail`. */
function filled(head: string, unit: string, tail: string): string {
  const count = Math.floor((SIZE - head.length - tail.length) / unit.length);
  return head + unit.repeat(count).replace(/,$/, '') + tail;
}

const F = '"format":"partner-booking-catalog/1"';
/** Returns `lists` lists with `most` entries each. */
const wide = (unit: string, lists: number, most: number) =>
  Array.from({ length: lists }, () => `[${Array(most).fill(unit).join(',')}]`).join(',');

const DOCUMENTS: [shape: string, text: () => string, path: RegExp][] = [
  ['duplicate keys', () => filled('{', '"a":0,', '}'), /^\$$/],
  ['empty lists', () => filled(`{${F},"x":[`, '[],', ']}'), /^\$$/],
  ['empty records', () => filled(`{${F},"specialists":[`, '{},', ']}'), /^\$$/],
  ['records with long lists', () => filled(`{${F},"services":[`, `{"a":[${'0,'.repeat(4_000)}0]},`, ']}'), /^\$$/],
  ['unknown fields', () => filled(`{${F},"services":[{`, '"abc":0,', '}]}'), /^\$$/],
  ['hours of a location', () => filled(`{${F},"locations":[{"hours":[`, '{},', ']}]}'), /^\$$/],
  ['deep nesting', () => '['.repeat(SIZE), /^\$$/],
  ['deep nesting behind a comment', () => `/*"*/${'['.repeat(SIZE)}`, /^\$$/],
  // The remaining documents have fewer values than a document may have.
  ['nested empty lists', () => `{${F},"x":[${wide('[]', 100, 4_900)}]}`, /^\$\.x$/],
  ['lists in records', () => `{${F},"services":[${wide('{"a":0}', 100, 4_900)}]}`, /^\$\.services/],
  [
    'references',
    () =>
      `{${F},"specialists":[${Array(199)
        .fill(`{"workplaces":[{"service_ids":[${Array(4_900).fill('"a"').join(',')}]}]}`)
        .join(',')}]}`,
    /^\$\.specialists/,
  ],
  [
    'unknown fields of many records',
    () =>
      `{${F},"services":[${Array(190)
        .fill(`{${Array.from({ length: 4_900 }, (_, n) => `"k${n}":0`).join(',')}}`)
        .join(',')}]}`,
    /^\$\.services/,
  ],
  ['long strings', () => filled(`{${F},"services":[`, `{"name":"é${'a'.repeat(100_000)}"},`, ']}'), /^\$\.services/],
];

test.each(DOCUMENTS)('a document of %s takes little memory and time', async (_, text, path) => {
  const document = text();
  const [memory, time] = [await residentMebibytes(server.pid), await processorMilliseconds(server.pid)];
  const checked = check(document);
  const peak = await peakDuring(checked);
  const { status, data } = await checked;
  const taken = { memory: peak - memory, time: (await processorMilliseconds(server.pid)) - time };
  expect(status).toBe(200);
  expect(data).toMatchObject({ plan: null });
  expect((data as { issues: { path: string }[] }).issues[0]?.path).toMatch(path);
  expect(taken.memory).toBeLessThan(MAX_MEMORY);
  expect(taken.time).toBeLessThan(MAX_TIME);
});

/** Returns the most memory that the server has while `work` runs, in MiB. */
async function peakDuring(work: Promise<unknown>): Promise<number> {
  let running = true;
  const done = work.finally(() => {
    running = false;
  });
  let peak = 0;
  while (running) {
    peak = Math.max(peak, await residentMebibytes(server.pid));
    await delay(10);
  }
  await done;
  return peak;
}
