import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makeDesk } from '@/tests/support/bookings';
import { makeLocation } from '@/tests/support/factories';
import { ago, writeLines } from '@/tests/support/request-lines';
import { until } from '@/tests/support/until';
import { makeControlCenter, makeMember, POLICY } from './applications-people';

const ALL = ['catalog.read', 'availability.read', 'booking.create', 'booking.manage', 'webhooks.manage'];
const AVAILABILITY = { route: `${BASE_PATH}/availability`, path: `${BASE_PATH}/availability` };

type Preview = {
  seen: number;
  checked: number;
  refused: number;
  unknown: number;
  refusals: { reason: string; count: number; groups: object[]; more: number }[];
  quota: object | null;
};

async function previewOf(lines: Parameters<typeof writeLines>[0], policy: object, present = {}) {
  const { owner, known, applicationId } = await makeControlCenter(present);
  const written = await writeLines(lines.map((line) => ({ ...known, address: '203.0.113.9', ...line })));
  const input = { application_id: applicationId, ...POLICY, scopes: ALL, ...policy };
  const { data } = await owner.mutate('applications.preview', input);
  return { preview: data as Preview, ids: written.map(({ request_id }) => request_id) };
}

test('checks accepted requests against the new policy in the order of the API checks', async () => {
  const lines = [
    {},
    { ...AVAILABILITY, origin: 'https://partner.example' },
    { address: '198.51.100.1' },
    { origin: 'https://elsewhere.example', status: 404, code: 'not_found' },
    { origin: 'https://partner.example' },
  ];
  const { preview, ids } = await previewOf(lines, {
    scopes: ['catalog.read'],
    networks: ['203.0.113.0/24'],
    origins: ['https://partner.example'],
  });
  expect(preview).toMatchObject({ seen: 5, checked: 5, refused: 4, quota: null });
  expect(preview.refusals).toEqual([
    { reason: 'ip', count: 1, groups: [{ what: '198.51.100.1', count: 1, request_id: ids[2] }], more: 0 },
    {
      reason: 'origin',
      count: 2,
      groups: expect.arrayContaining([
        { what: null, count: 1, request_id: ids[0] },
        { what: 'https://elsewhere.example', count: 1, request_id: ids[3] },
      ]),
      more: 0,
    },
    {
      reason: 'insufficient_scope',
      count: 1,
      groups: [{ what: `GET ${BASE_PATH}/availability`, count: 1, request_id: ids[1] }],
      more: 0,
    },
  ]);
});

test('ignores requests that were refused, would be refused already, or are older than a day', async () => {
  const { preview } = await previewOf(
    [
      { status: 401, code: 'invalid_api_key' },
      { status: 403, code: 'credential_restricted', reason: 'ip' },
      { status: 403, code: 'insufficient_scope' },
      { status: 429, code: 'rate_limited' },
      { at: ago(25 * 3600) },
      { address: '198.51.100.1' },
    ],
    { networks: ['192.0.2.1'] },
    { networks: ['203.0.113.0/24'] },
  );
  // The current policy already refuses the last request, so the preview must not count it as a new refusal.
  expect(preview).toMatchObject({ seen: 1, checked: 1, refused: 0, refusals: [] });
});

test('requires no scope for unknown routes and returns only the most frequent groups', async () => {
  const addresses = Array.from({ length: 7 }, (_, i) => ({ address: `198.51.100.${i + 1}` }));
  const { preview } = await previewOf([{ route: null, path: null, status: 404, code: 'not_found' }, ...addresses], {
    scopes: [],
    networks: ['203.0.113.0/24'],
  });
  expect(preview.refusals).toMatchObject([{ reason: 'ip', count: 7, more: 2 }]);
  expect(preview.refusals[0]?.groups).toHaveLength(5);
});

test('compares a lower quota with the busiest minutes', async () => {
  const minute = Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000;
  const at = (second: number) => new Date(minute + second * 1000).toISOString();
  const busy = Array.from({ length: 8 }, (_, i) => ({ at: at(i) }));
  const refused = { at: at(9), status: 403, code: 'credential_restricted', reason: 'ip' };
  const lower = await previewOf([...busy, refused, { at: at(120) }], { quota: 5 });
  expect(lower.preview.quota).toMatchObject({
    minutes: 1,
    excess: 3,
    peak: 8,
    peak_at: new Date(minute).toISOString(),
  });
  expect(lower.ids).toContain((lower.preview.quota as { request_id: string }).request_id);
  expect((await previewOf(busy, { quota: 8 })).preview.quota).toBeNull();
  expect((await previewOf(busy, { quota: 5 }, { quota: 4 })).preview.quota).toBeNull();
});

test('counts the requests for bookings at a location that the new policy removes', async () => {
  const { tenant, location, applicationId, book, read } = await makeDesk();
  const owner = await makeMember(tenant.id);
  const { reference } = await book();
  const { requestId } = await read(reference);
  await until(
    () => db().requestLog.count({ where: { applicationId } }),
    (count) => count === 2,
  );
  const input = { application_id: applicationId, ...POLICY, scopes: ALL, all_locations: false, quota: 100_000 };
  const { data } = await owner.mutate('applications.preview', input);
  expect(data).toMatchObject({
    refused: 2,
    refusals: [{ reason: 'location', count: 2, groups: [{ what: location.id, request_id: requestId }] }],
  });
  const kept = await owner.mutate('applications.preview', { ...input, location_ids: [location.id] });
  expect(kept.data).toMatchObject({ refused: 0 });
});

test('counts every accepted request that needs a location, except replays, when no location remains', async () => {
  const route = `${BASE_PATH}/bookings`;
  const { preview } = await previewOf(
    [
      AVAILABILITY,
      AVAILABILITY,
      { ...AVAILABILITY, status: 400, code: 'invalid_request' },
      { ...AVAILABILITY, status: 404, code: 'not_found' },
      { method: 'POST', route, path: route, status: 409, code: 'booking_unavailable', reason: 'slot_taken' },
      { method: 'POST', route, path: route, status: 201, replayed_from: newId('req') },
      {},
    ],
    { all_locations: false },
  );
  expect(preview).toMatchObject({ seen: 7, refused: 3, unknown: 0 });
  expect(preview.refusals).toMatchObject([
    {
      reason: 'location',
      count: 3,
      groups: [
        { what: `GET ${AVAILABILITY.route}`, count: 2 },
        { what: `POST ${route}`, count: 1 },
      ],
    },
  ]);
});

test('counts requests whose location is not logged as undecidable when locations are removed', async () => {
  const { tenant, known, applicationId, owner } = await makeControlCenter();
  const location = await makeLocation(tenant.id);
  const specialists = `${BASE_PATH}/catalog/specialists`;
  await writeLines([
    { ...known, ...AVAILABILITY },
    { ...known, route: specialists, path: specialists },
    { ...known },
    { ...known, ...AVAILABILITY, status: 404, code: 'not_found' },
  ]);
  const input = { application_id: applicationId, ...POLICY, scopes: ALL };
  const narrowed = await owner.mutate('applications.preview', {
    ...input,
    all_locations: false,
    location_ids: [location.id],
  });
  expect(narrowed.data).toMatchObject({ seen: 4, refused: 0, unknown: 2 });
  expect((await owner.mutate('applications.preview', input)).data).toMatchObject({ refused: 0, unknown: 0 });
});

test('counts a create but not its replay when its location is removed', async () => {
  const { tenant, applicationId, create, body } = await makeDesk();
  const owner = await makeMember(tenant.id);
  const sending = { key: randomUUID() };
  const { requestId } = await create(body(), sending);
  const replay = await create(body(), sending);
  const lines = await until(
    () => db().requestLog.findMany({ where: { applicationId }, orderBy: { requestId: 'asc' } }),
    (found) => found.length === 2,
  );
  // The log entry of the replay has the original's external reference, but the preview must not count the replay.
  expect(lines[1]).toMatchObject({ requestId: replay.requestId, externalReference: body().external_reference });
  const { data } = await owner.mutate('applications.preview', {
    ...{ application_id: applicationId, ...POLICY, scopes: ALL, quota: 100_000 },
    all_locations: false,
  });
  expect(data).toMatchObject({ refused: 1, unknown: 0, refusals: [{ groups: [{ request_id: requestId }] }] });
});
