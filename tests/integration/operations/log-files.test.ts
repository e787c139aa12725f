import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFailure } from '@/lib/access/owners/sign-in-record';
import { recordChanges } from '@/lib/activity/audit/record';
import { copyAudit, copyRequests } from '@/lib/activity/log-files';
import { insertLogEntries } from '@/lib/activity/request-log/buffer';
import { db } from '@/lib/platform/db';
import { derivedId, newId } from '@/lib/platform/ids';
import { makePerson, type Person } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { entryOf } from '../../unit/request-log/entries';

let database: OwnDatabase;
let directory: string;
let path: string;
let person: Person;

beforeAll(async () => {
  database = await ownDatabase();
  directory = await mkdtemp(join(tmpdir(), 'audit-'));
  path = join(directory, 'audit.ndjson');
  person = await makePerson((await makeTenant()).id);
});

afterAll(async () => {
  await database.drop();
  await rm(directory, { recursive: true });
});

const linesOf = async (file = path): Promise<Record<string, unknown>[]> =>
  (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const change = (number: number) => ({
  tenantId: person.tenantId,
  actor: { kind: 'operator' } as const,
  action: 'thing.done',
  object: { kind: 'thing', id: `thing-${number}` },
  after: { number },
});

const LATER = 121_000;

test('each audit entry and sign-in is appended once, in order, when no transaction can precede it anymore', async () => {
  await recordChanges(
    db(),
    new Date(),
    Array.from({ length: 2_500 }, (_, number) => change(number)),
  );
  await recordFailure(new Date(), {
    userIds: [person.userId],
    outcome: 'wrong_password',
    method: 'password',
    address: '192.0.2.1',
  });
  expect(await copyAudit(new Date(), path)).toEqual({ lines: 0 });
  const later = new Date(Date.now() + LATER);
  expect(await copyAudit(later, path)).toEqual({ lines: 2_501 });
  const lines = await linesOf();
  expect(lines.map(({ object_id }) => object_id)).toEqual([
    ...Array.from({ length: 2_500 }, (_, number) => `thing-${number}`),
    undefined,
  ]);
  expect(lines[0]).toMatchObject({
    table: 'audit_log',
    id: expect.stringMatching(/^aud_/),
    at: expect.stringMatching(/Z$/),
    tenant_id: person.tenantId,
    action: 'thing.done',
    after: { number: 0 },
  });
  expect(lines.at(-1)).toMatchObject({ table: 'sign_ins', outcome: 'wrong_password', network: '192.0.2.1' });
  expect(await copyAudit(later, path)).toEqual({ lines: 0 });
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test('a rotated file is continued, and an entry is not lost when the file could not be written', async () => {
  await rename(path, `${path}.1`);
  await recordChanges(db(), new Date(), [change(1)]);
  const later = new Date(Date.now() + LATER);
  await expect(copyAudit(later, join(directory, 'missing', 'audit.ndjson'))).rejects.toThrow('ENOENT');
  expect(await copyAudit(later, path)).toEqual({ lines: 1 });
  expect(await linesOf()).toHaveLength(1);
});

test('the request log is appended from the first run on, with the fields of its rows', async () => {
  const file = join(directory, 'requests.ndjson');
  const row = (hash: string | null) =>
    entryOf(0, { request_id: newId('req'), tenant_id: null, idempotency_key_hash: hash });
  const [early, late] = [row(null), row('ab'.repeat(32))];
  await insertLogEntries([early]);
  const first = new Date(Date.now() + LATER);
  expect(await copyRequests(first, file)).toEqual({ lines: 0 });
  late.request_id = derivedId('req', person.tenantId, 'late', new Date(first.getTime() - 60_000));
  await insertLogEntries([late]);
  expect(await copyRequests(new Date(first.getTime() + LATER), file)).toEqual({ lines: 1 });
  expect(await linesOf(file)).toEqual([{ table: 'request_log', ...late }]);
});

test('a line of which a part was written is ended, and a file that is not regular is refused', async () => {
  const file = join(directory, 'torn.ndjson');
  await appendFile(file, '{"table":"audit_log","id":"aud_');
  await copyAudit(new Date(Date.now() + LATER), file);
  const [torn, first] = (await readFile(file, 'utf8')).split('\n');
  expect(torn).toBe('{"table":"audit_log","id":"aud_');
  expect(JSON.parse(first ?? '')).toMatchObject({ table: 'audit_log' });
  await expect(copyAudit(new Date(), '/dev/null')).rejects.toThrow('AUDIT_LOG_FILE must be the path of a regular file');
  await mkdir(join(directory, 'folder'));
  await expect(copyRequests(new Date(), join(directory, 'folder'))).rejects.toThrow('EISDIR');
});

test('one process of a server with AUDIT_LOG_FILE and REQUEST_LOG_FILE copies the entries', async () => {
  const [audit, requests] = [join(directory, 'server-audit.ndjson'), join(directory, 'server-requests.ndjson')];
  // The entries of the other tests are too young, so these entries get an id of the past.
  const id = '01jgfjjzz8e008000000000001';
  await database.query(
    `INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id)
     VALUES ('aud_${id}', now(), $1, 'system', 'thing.done', 'thing', 'old')`,
    [person.tenantId],
  );
  await insertLogEntries([entryOf(0, { request_id: `req_${id}`, tenant_id: null })]);
  await writeFile(`${requests}.position`, '{"request_log":""}');
  const env = { WORKERS: '2', AUDIT_LOG_FILE: audit, REQUEST_LOG_FILE: requests };
  const server = await startServer({ databaseUrl: database.url, env });
  for (const [file, line] of [
    [audit, { table: 'audit_log', object_id: 'old' }],
    [requests, { table: 'request_log', request_id: `req_${id}` }],
  ] as const)
    expect(
      await until(
        () => linesOf(file),
        (all) => all.length > 0,
      ),
    ).toEqual(expect.arrayContaining([expect.objectContaining(line)]));
  await server.stop();
});
