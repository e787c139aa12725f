import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AuthenticationError, ConflictError, pages, partnerClient, type ResponseInfo } from '@/lib/contract/client';
import { BASE_PATH } from '@/lib/contract/operations';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

test('the published client gets from the catalog to a cancellation, despite one lost response', async () => {
  const { key, service, location } = await makeBusiness();
  const seen: ResponseInfo[] = [];
  let lost = false;
  const client = partnerClient({
    baseUrl: sharedServer().origin + BASE_PATH,
    apiKey: key,
    onResponse: (response) => seen.push(response),
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init.method !== 'POST' || lost) return response;
      lost = true;
      await response.arrayBuffer();
      throw new TypeError('The connection was lost.');
    },
  });
  const query = { service_id: service.id, location_id: location.id, date: day(2), date_to: day(20), limit: 1 };
  const slots = [];
  for await (const page of pages(client.listAvailability, query)) {
    slots.push(...page.slots);
    if (slots.length === 2) break;
  }
  const [first, second] = slots;
  const start = (slot: typeof first) => ({ date: slot?.date ?? '', start_time: slot?.start_time ?? '' });
  const body = {
    service_id: service.id,
    location_id: location.id,
    ...start(first),
    external_reference: 'order-4711',
    customer: { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true as const },
  };
  const { booking } = await client.createBooking(body, randomUUID());
  expect(seen.slice(-2).map(({ status, attempt, replayed }) => [status, attempt, replayed])).toEqual([
    [0, 1, false],
    [201, 2, true],
  ]);
  expect(await client.readBooking(booking.reference)).toEqual({ booking });
  const change = { expected_version: 1, ...start(second) };
  const { booking: moved } = await client.rescheduleBooking(booking.reference, change, randomUUID());
  expect(moved).toMatchObject({ reference: booking.reference, version: 2, starts_at: second?.starts_at });
  await expect(client.cancelBooking(booking.reference, { expected_version: 1 }, randomUUID())).rejects.toThrow(
    ConflictError,
  );
  const { booking: gone } = await client.cancelBooking(booking.reference, { expected_version: 2 }, randomUUID());
  expect(gone).toMatchObject({ status: 'cancelled', version: 3 });
});

test('the published client sends a refused key once', async () => {
  let requests = 0;
  const client = partnerClient({
    baseUrl: sharedServer().origin + BASE_PATH,
    apiKey: `pbk_live_${'0'.repeat(38)}`,
    onResponse: () => {
      requests += 1;
    },
  });
  const error = await client.listCatalog().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, reason: 'wrong_environment', requestId: expect.stringMatching(/^req_/) });
  expect(requests).toBe(1);
});
