import { mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFailure } from '@/lib/access/owners/sign-in-record';
import { copyAudit } from '@/lib/activity/audit/file';
import { recordChanges } from '@/lib/activity/audit/record';
import { db } from '@/lib/platform/db';
import { makePerson, type Person } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

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

test('one process of a server with AUDIT_LOG_FILE copies the entries', async () => {
  const file = join(directory, 'server.ndjson');
  // The entries of the other tests are too young, so this entry gets an id of the past.
  await database.query(
    `INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id)
     VALUES ('aud_01jgfjjzz8e008000000000001', now(), $1, 'system', 'thing.done', 'thing', 'old')`,
    [person.tenantId],
  );
  const server = await startServer({ databaseUrl: database.url, env: { WORKERS: '2', AUDIT_LOG_FILE: file } });
  const lines = await until(
    () => linesOf(file),
    (all) => all.length > 0,
  );
  expect(lines[0]).toMatchObject({ object_id: 'old' });
  await server.stop();
});
