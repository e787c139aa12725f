import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { createClient } from '@/tests/support/client';
import { CATALOG } from '@/tests/support/paths';
import { writeLines } from '@/tests/support/request-lines';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { makeControlCenter } from './applications-people';

type Key = { id: string; name: string; status: string; last_four: string } & Record<string, unknown>;
type Issued = { key_id: string; key: string; name: string; expires_at: string | null };

const { origin } = sharedServer();
const DAY = 86_400_000;

async function statusWith(key: string, wanted: number) {
  const client = createClient({ origin, key });
  return until(
    async () => (await client(CATALOG)).status,
    (status) => status === wanted,
  );
}

test('issues a working key and never returns it again', async () => {
  const { owner, applicationId } = await makeControlCenter();
  const one = { application_id: applicationId };
  const expires_at = new Date(Date.now() + 30 * DAY).toISOString();
  const issued = (await owner.mutate('keys.issue', { ...one, name: ' Server ', expires_at })).data as Issued;
  expect(issued).toMatchObject({ name: 'Server', expires_at });
  expect(issued.key).toMatch(/^pbk_test_[0-9A-Za-z]{38}$/);
  await statusWith(issued.key, 200);
  const list = await owner.query('keys.list', one);
  expect(JSON.stringify(list.data)).not.toContain(issued.key.slice(10, 30));
  const { keys } = list.data as { keys: Key[] };
  expect(keys[0]).toMatchObject({
    id: issued.key_id,
    status: 'active',
    prefix: 'pbk_test_',
    last_four: issued.key.slice(-4),
    created_by: 'Olivia Owner',
  });
  expect(Object.keys(keys[0] ?? {}).filter((name) => /hash/.test(name))).toEqual([]);
});

test('accepts a rotated key during the overlap and rejects a revoked one', async () => {
  const { owner, applicationId, keyId, key } = await makeControlCenter();
  const rotated = (await owner.mutate('keys.rotate', { key_id: keyId, overlap: '1h' })).data as Issued;
  await Promise.all([statusWith(key, 200), statusWith(rotated.key, 200)]);
  const list = async () =>
    ((await owner.query('keys.list', { application_id: applicationId })).data as { keys: Key[] }).keys;
  expect(await list()).toMatchObject([
    { id: rotated.key_id, status: 'active' },
    { id: keyId, status: 'rotated', rotated_to_id: rotated.key_id, ends_at: expect.any(String) },
  ]);
  const again = await owner.mutate('keys.rotate', { key_id: keyId, overlap: '1h' });
  expect(again).toMatchObject({ status: 400, error: { fields: [{ path: 'key_id', message: 'was already rotated' }] } });
  expect((await owner.mutate('keys.revoke', { key_id: keyId })).status).toBe(200);
  await statusWith(key, 401);
  await statusWith(rotated.key, 200);
  expect((await list())[1]).toMatchObject({ id: keyId, status: 'revoked' });
});

test('derives the status of a key from its dates and counts only its own requests', async () => {
  const { owner, known, applicationId, keyId } = await makeControlCenter();
  await writeLines([{ ...known }, { ...known }, { ...known, key_id: null }]);
  const read = async () => {
    const { data } = await owner.query('keys.list', { application_id: applicationId });
    return (data as { keys: Key[] }).keys.find(({ id }) => id === keyId);
  };
  expect(await read()).toMatchObject({ status: 'active', requests_24h: 2 });
  const createdAt = new Date(Date.now() - 40 * DAY);
  await db().apiKey.update({ where: { id: keyId }, data: { createdAt, expiresAt: new Date(Date.now() + 3 * DAY) } });
  expect(await read()).toMatchObject({ status: 'expiring' });
  await db().apiKey.update({ where: { id: keyId }, data: { expiresAt: new Date(Date.now() - DAY) } });
  expect(await read()).toMatchObject({ status: 'expired' });
  const detail = await owner.query('applications.get', { application_id: applicationId });
  expect(detail.data).toMatchObject({ keys_in_use: 0, requests_24h: 3 });
});

test.for([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(101) }],
  ['name', { name: `pbk_test_${'a'.repeat(38)}` }],
  ['expires_at', { expires_at: 'tomorrow' }],
  ['expires_at', { expires_at: new Date(Date.now() - 1000).toISOString() }],
] as const)('rejects an invalid %s and issues no key', async ([path, part]) => {
  const { owner, applicationId } = await makeControlCenter();
  const input = { application_id: applicationId, name: 'Server', expires_at: null, ...part };
  const reply = await owner.mutate('keys.issue', input);
  expect(reply).toMatchObject({ status: 400, error: { code: 'invalid_request', fields: [{ path }] } });
  expect(await db().apiKey.count({ where: { applicationId } })).toBe(1);
});
