import { randomUUID } from 'node:crypto';
import { type CancelBooking, type CreateBooking, PartnerError, partnerClient } from './client.ts';

const client = partnerClient({ baseUrl: process.env.API ?? '', apiKey: process.env.API_KEY ?? '' });

const { services } = await client.listCatalog({ limit: 1 });
const [service] = services;
const location = service?.location_ids[0];
if (!service || !location) throw new Error('This key cannot book any service.');

const day = (ahead: number) => new Date(Date.now() + ahead * 864e5).toISOString().slice(0, 10);
const query = { service_id: service.id, location_id: location, date: day(2), date_to: day(12) };
const { slots } = await client.listAvailability(query);
const slot = slots[1];
if (!slot) throw new Error('No free slot.');

// Store the idempotency key with your order before the request, so that you can repeat the write after a crash.
const key = randomUUID();
const body: CreateBooking = {
  service_id: service.id,
  location_id: location,
  date: slot.date,
  start_time: slot.start_time,
  external_reference: 'order-4712',
  customer: { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true },
};
const { booking } = await client.createBooking(body, key).catch((error: unknown) => {
  if (!(error instanceof PartnerError)) throw error;
  if (error.reason === 'slot_taken') console.error('No longer free: offer other times.');
  console.error(error.status, error.code, error.reason, error.requestId);
  throw error;
});
console.log('booked', booking.reference, booking.starts_at);

const repeated = await client.createBooking(body, key);
console.log('the same booking', repeated.booking.reference === booking.reference);

const change: CancelBooking = { expected_version: booking.version, reason: 'customer_request' };
const cancelled = await client.cancelBooking(booking.reference, change, randomUUID());
console.log(cancelled.booking.status);
