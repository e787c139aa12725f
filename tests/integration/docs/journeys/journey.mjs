// Uses the package for npm as a partner does. Every language prints the same lines.
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PartnerError, partnerClient, verifyWebhook, WebhookError } from 'partner-booking';

const { API = '', API_KEY: apiKey = '', MOVED = '' } = process.env;
const client = partnerClient({ baseUrl: API, apiKey });
const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const range = { from: day(2), to: day(12) };

async function refusal(call) {
  try {
    await call;
    return 'accepted';
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    return `${error.status} ${error.code} ${error.reason ?? ''}`.trim();
  }
}

console.log('me', (await client.readMe()).environment);
const [service] = (await client.listCatalog({ limit: 1 })).services;
const place = { service_id: service.id, location_id: service.location_ids[0] };
const next = await client.listAvailabilityDays({ service_ids: service.id, date: range.from, next: true });
console.log('next', next.combinations[0].next_slot !== null);
const { slots } = await client.listAvailability({ ...place, date: range.from, date_to: range.to });
const bodyOf = ({ date, start_time }, external_reference) => ({
  ...place,
  date,
  start_time,
  external_reference,
  customer: { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true },
});

const key = randomUUID();
const { booking } = await client.createBooking(bodyOf(slots[0], 'test:429'), key);
console.log('created', booking.status, booking.version);
const again = await client.createBooking(bodyOf(slots[0], 'test:429'), key);
console.log('repeated', again.booking.reference === booking.reference);
const lost = await client.createBooking(bodyOf(slots[1], 'test:lost_response'), randomUUID());
console.log('lost', lost.booking.status);
console.log('taken', await refusal(client.createBooking(bodyOf(slots[0], 'order-1'), randomUUID())));
const to = { date: slots[2].date, start_time: slots[2].start_time };
const moved = await client.rescheduleBooking(booking.reference, { expected_version: 1, ...to }, randomUUID());
console.log('moved', moved.booking.version);
const change = (version) => ({ expected_version: version, reason: 'customer_request' });
console.log('conflict', await refusal(client.cancelBooking(booking.reference, change(1), randomUUID())));
const cancelled = await client.cancelBooking(booking.reference, change(2), randomUUID());
console.log('cancelled', cancelled.booking.version);
console.log('redirect', await refusal(partnerClient({ baseUrl: MOVED, apiKey }).readMe()));

const { bookings } = await client.listBookings(range);
const { days } = await client.digestBookings(range);
const hashOf = (date) => {
  const lines = bookings.filter((one) => one.date === date).map((one) => `${one.reference}:${one.version}\n`);
  return createHash('sha256').update(lines.sort().join('')).digest('hex');
};
console.log(
  'digest',
  bookings.length,
  days.every(({ date, hash }) => hash === hashOf(date)),
);
console.log('events', (await client.listEvents({ after: 0 })).events.length);

const [vector] = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const isGenuine = (body) =>
  verifyWebhook(vector.secrets, vector.headers, body, vector.now).then(
    () => true,
    (error) => !(error instanceof WebhookError),
  );
console.log('webhook', await isGenuine(vector.body), await isGenuine(`${vector.body} `));
