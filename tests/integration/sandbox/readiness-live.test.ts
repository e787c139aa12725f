import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { certificateSigner, certify } from '@/lib/booking/readiness/certificate';
import { CRITERIA, type Readiness } from '@/lib/contract/readiness';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { signerFrom } from '@/lib/platform/ed25519';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';

const DAY = 86_400_000;
const rotated = signerFrom(randomBytes(32));

let database: OwnDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await ownDatabase();
  await claimEnvironment(database.url, { environment: 'LIVE', secretKey: env().SECRET_KEY });
  // The key of a TEST deployment, which is that of this process, and the one after a rotation there.
  const TEST_READINESS_KEY = `${certificateSigner().publicKey},${rotated.publicKey}`;
  server = await startServer({
    databaseUrl: database.url,
    env: { ENVIRONMENT: 'LIVE', SECRET_KEY: env().SECRET_KEY, TEST_READINESS_KEY },
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const at = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const scoreOf = (name: string, more: Partial<Readiness> = {}): Readiness => ({
  application: { id: newId('app'), name },
  ...{ business: 'Studio Mitte', environment: 'TEST', host: 'https://test.booking.example', contract: 'v1' },
  criteria: CRITERIA.map((criterion) => ({ criterion, state: 'met', at: at(-1), request_id: newId('req') })),
  met: CRITERIA.length,
  conformance: { at: at(-1), passed: 120, failed: 0, skipped: 1, calls: 240, seen: 240 },
  ...{ issued_at: at(-1), expires_at: at(29) },
  ...more,
});

async function ownerOf(tenantId: string, role: 'OWNER' | 'SUPPORT' = 'OWNER') {
  const { origin } = server;
  const { email, password } = await makePerson(tenantId, role);
  const cookie = await signInOverHttp(origin, email, password);
  const from = { origin, cookie, headers: { [TENANT_HEADER]: tenantId } };
  return {
    get: (application_id: string) =>
      callProcedure('readiness.get', { ...from, type: 'query', input: { application_id } }),
    add: (application_id: string, file: string) =>
      callProcedure('readiness.add', { ...from, type: 'mutation', input: { application_id, file } }),
    facts: () => callProcedure('environment.get', { ...from, type: 'query' }),
  };
}

test('an owner of LIVE adds the file of TEST, and sees the score until the file expires', async () => {
  const tenant = await makeTenant();
  const [owner, support] = await Promise.all([ownerOf(tenant.id), ownerOf(tenant.id, 'SUPPORT')]);
  const { applicationId } = await makeApplication(tenant.id, { name: 'Travel portal' });
  const live = { environment: 'LIVE', can_check: true, business: tenant.name };
  expect((await owner.get(applicationId)).data).toEqual({ ...live, accepted: null });
  expect((await owner.facts()).data).toMatchObject({ readiness_key: expect.stringContaining(rotated.publicKey) });

  const first = scoreOf('Travel portal', { met: 3 });
  expect((await support.add(applicationId, certify(first))).status).toBe(403);
  expect((await owner.add(applicationId, `${certify(first)}\n`)).data).toEqual({ met: 3 });
  const second = scoreOf('Travel portal');
  expect((await owner.add(applicationId, certify(second, rotated))).data).toEqual({ met: 5 });
  const shown = { ...live, accepted: { added_at: expect.any(String), readiness: second, problem: null } };
  expect((await support.get(applicationId)).data).toEqual(shown);
  const audit = await db().auditLog.findMany({
    where: { objectId: applicationId, action: 'application.readiness_added' },
    orderBy: { id: 'asc' },
  });
  const { host, issued_at } = second;
  expect(audit.map(({ after }) => after)).toEqual([
    { met: 3, of: 5, host, issued_at: first.issued_at },
    { met: 5, of: 5, host, issued_at },
  ]);

  // A stored file is checked again whenever it is shown.
  const file = certify(scoreOf('Travel portal', { expires_at: at(-0.5) }));
  await db().readinessRecord.updateMany({ where: { applicationId }, data: { value: { file } } });
  const expired = { readiness: null, problem: expect.stringContaining('has expired') };
  expect((await owner.get(applicationId)).data).toMatchObject({ accepted: expired });
});

test('bad files are refused with the reason, and nothing of them is stored or repeated', async () => {
  const tenant = await makeTenant();
  const owner = await ownerOf(tenant.id);
  const { applicationId } = await makeApplication(tenant.id, { name: 'Travel portal' });
  const right = certify(scoreOf('Travel portal'));
  const cases: [string, string][] = [
    [right.slice(0, -2), 'cut off'],
    [right.slice(0, 300), 'not a whole readiness file'],
    [right.replace(/\.(.)/, (_, first: string) => `.${first === 'e' ? 'f' : 'e'}`), 'was changed'],
    [certify(scoreOf('Travel portal'), signerFrom(randomBytes(32))), 'does not trust'],
    [certify(scoreOf('Another portal')), 'another name'],
    [certify(scoreOf('travel portal')), 'another name'],
    [certify(scoreOf('Travel portal', { expires_at: at(-0.1) })), 'has expired'],
    ['A'.repeat(20_000), 'must have at most 8192 characters'],
  ];
  for (const [file, why] of cases) {
    const { status, error } = await owner.add(applicationId, file);
    expect([why, status, error?.fields]).toEqual([why, 400, [{ path: 'file', message: expect.stringContaining(why) }]]);
    expect(JSON.stringify(error)).not.toContain(file.slice(0, 40));
  }
  expect((await owner.add(applicationId, 'A'.repeat(1_000_000))).status).toBe(413);
  // Another tenant does not learn of the application.
  const stranger = await ownerOf((await makeTenant()).id);
  expect((await stranger.add(applicationId, right)).status).toBe(404);
  expect((await stranger.get(applicationId)).status).toBe(404);
  expect(await db().readinessRecord.count({ where: { applicationId } })).toBe(0);
});
