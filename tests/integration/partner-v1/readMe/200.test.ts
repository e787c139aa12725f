import { expect, test } from 'vitest';
import { SCOPES } from '@/lib/contract/common';
import { BASE_PATH, readMe } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { narrowPolicy } from '@/tests/support/booking-rows';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

const PATH = `${BASE_PATH}${readMe.path}`;
const meOf = (key: string) => partnerOf(key).client(PATH, { operation: readMe });

test('returns the application, business, policy, and key, and no other scope is needed', async () => {
  const desk = await makeDesk();
  const elsewhere = await makeLocation(desk.tenant.id);
  const hidden = await makeLocation(desk.tenant.id, { published: false });
  const { data, headers } = await meOf(desk.key);
  expect(data).toEqual({
    application: { id: desk.applicationId, name: 'Partner' },
    business: {
      name: desk.tenant.name,
      languages: desk.tenant.locales,
      default_language: desk.tenant.defaultLocale,
    },
    environment: 'TEST',
    api_version: 'v1',
    scopes: [...SCOPES].sort(),
    all_locations: true,
    location_ids: [desk.location.id, elsewhere.id].sort(),
    quota: { requests: 100_000, seconds: 60 },
    agents: { confirmation: 'required' },
    key: { name: 'Key', last_four: desk.key.slice(-4), expires_at: null },
  });
  expect(headers['cache-control']).toBe('private, no-store');
  // An unpublished location stays hidden, also if the policy names it.
  await narrowPolicy(desk, { locationIds: [desk.location.id, hidden.id] });
  const narrowed = await until(
    () => meOf(desk.key),
    (reply) => !reply.data.all_locations,
  );
  expect(narrowed.data.location_ids).toEqual([desk.location.id]);
  const none = await makeApplication(desk.tenant.id, { scopes: [], quota: 7, agentsAsk: false });
  const { data: mine } = await meOf(none.key);
  expect(mine).toMatchObject({ application: { id: none.applicationId }, scopes: [], quota: { requests: 7 } });
  expect(mine.agents).toEqual({ confirmation: 'not_required' });
});

test('the end of a key is its expiry or the end of its overlap, whichever is earlier', async () => {
  const desk = await makeDesk();
  const expiresAt = new Date('2099-01-02T03:04:05.678Z');
  await db().apiKey.update({ where: { id: desk.keyId }, data: { expiresAt } });
  const { data } = await meOf(desk.key);
  expect(data.key.expires_at).toBe(expiresAt.toISOString());
});
