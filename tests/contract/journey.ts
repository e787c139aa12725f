import { randomUUID } from 'node:crypto';
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './generated/partner-v1';

type Booking = components['schemas']['Booking'];

export type Journey = {
  booked: Booking;
  read: Booking;
  moved: Booking;
  gone: Booking;
  replayed: boolean;
  sends: number;
};

/**
 * Returns a `fetch` that loses the first response to a booking request. `sends` returns the number of booking requests.
 */
function losing(): { fetch: typeof fetch; sends: () => number } {
  let sends = 0;
  return {
    sends: () => sends,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const response = await fetch(request);
      const books = request.method === 'POST' && new URL(request.url).pathname.endsWith('/bookings');
      if (!books) return response;
      sends += 1;
      if (sends > 1) return response;
      await response.arrayBuffer();
      throw new TypeError('the connection was lost');
    },
  };
}

function dataOf<Data>({
  data,
  error,
}: {
  data?: { data: Data };
  error?: components['schemas']['Error'] | object;
}): Data {
  if (!data) throw new Error(JSON.stringify(error));
  return data.data;
}

/**
 * Uses the generated types to read the catalog, to find a slot, and to create, read, reschedule, and cancel a booking.
 * The response to the first create request is lost, so the request is sent again.
 */
export async function walk(baseUrl: string, key: string): Promise<Journey> {
  const network = losing();
  const client = createClient<paths>({ baseUrl, fetch: network.fetch });
  const authentication: Middleware = {
    onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${key}`),
  };
  client.use(authentication);

  const { services } = dataOf(await client.GET('/catalog', { params: { query: { limit: 1 } } }));
  const [service] = services;
  const location_id = service?.location_ids[0];
  if (!service || !location_id) throw new Error('no bookable service');

  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const query = { service_id: service.id, location_id, date: day(2), date_to: day(20) };
  const { slots } = dataOf(await client.GET('/availability', { params: { query } }));
  const [first, second] = slots;
  if (!first || !second) throw new Error('no free slot');

  const body: components['schemas']['CreateBooking'] = {
    service_id: service.id,
    location_id,
    date: first.date,
    start_time: first.start_time,
    external_reference: 'order-4711',
    customer: { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true },
  };
  const header = { 'Idempotency-Key': randomUUID() };
  const book = () => client.POST('/bookings', { params: { header }, body });
  const created = await book().catch(book);
  const { booking: booked } = dataOf(created);
  const replayed = created.response.headers.get('Idempotent-Replayed') === 'true';

  const path = { pbr_reference: booked.reference };
  const { booking: read } = dataOf(await client.GET('/bookings/{pbr_reference}', { params: { path } }));
  const fresh = () => ({ path, header: { 'Idempotency-Key': randomUUID() } });
  const rescheduled = await client.POST('/bookings/{pbr_reference}/actions/reschedule', {
    params: fresh(),
    body: { expected_version: read.version, date: second.date, start_time: second.start_time },
  });
  const { booking: moved } = dataOf(rescheduled);
  const cancelled = await client.POST('/bookings/{pbr_reference}/actions/cancel', {
    params: fresh(),
    body: { expected_version: moved.version, reason: 'customer_request' },
  });
  const { booking: gone } = dataOf(cancelled);
  return { booked, read, moved, gone, replayed, sends: network.sends() };
}
