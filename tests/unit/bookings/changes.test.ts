import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type BookingRow, bookingRecord, fullRecord } from '@/lib/booking/bookings/booking';
import { bookingEvent } from '@/lib/booking/bookings/change';
import { checkChangeable } from '@/lib/booking/bookings/partner-changes';
import { rankSpecialists } from '@/lib/booking/bookings/resolve';
import { booking as bookingSchema } from '@/lib/contract/bookings';

beforeAll(() => {
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const START = new Date('2027-03-28T01:30:00Z');
const MADE = new Date('2027-01-01T00:00:00.123Z');

function rowOf(more: Partial<BookingRow> = {}): BookingRow {
  return {
    reference: `pbr_${'0'.repeat(26)}`,
    tenant_id: 'ten_x',
    application_id: 'app_x',
    claim_id: null,
    status: 'confirmed',
    version: 3,
    service_id: 'svc_x',
    location_id: 'loc_x',
    specialist_id: 'spc_x',
    starts_at: START,
    ends_at: new Date(START.getTime() + 45 * 60_000),
    time_zone: 'Europe/Berlin',
    date: '2027-03-28',
    start_time: '03:30',
    end_date: '2027-03-28',
    end_time: '04:15',
    cancellation_cutoff_minutes: 90,
    price_amount: 4900,
    price_currency: 'EUR',
    external_reference: 'order-1',
    consent_at: MADE,
    consent_source: null,
    consent_text_version: null,
    consent_withdrawn_at: null,
    customer_name: null,
    customer_phone: null,
    customer_email: null,
    customer_locale: null,
    note: null,
    metadata: null,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    created_at: MADE,
    updated_at: MADE,
    ...more,
  };
}

function refusalOf(row: BookingRow, version: number, now: Date): unknown {
  try {
    return checkChangeable(row, version, now);
  } catch (error) {
    return error;
  }
}

const deadline = new Date(START.getTime() - 90 * 60_000);
const after = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);

test('a booking can be changed at the deadline but not one millisecond later', () => {
  expect(refusalOf(rowOf(), 3, deadline)).toBeUndefined();
  expect(refusalOf(rowOf(), 3, after(deadline, 1))).toMatchObject({ reason: 'outside_cancellation_window' });
  expect(bookingRecord(rowOf(), deadline)).toMatchObject({ cancellable: true, reschedulable: true });
  expect(bookingRecord(rowOf(), after(deadline, 1))).toMatchObject({ cancellable: false, reschedulable: false });
});

test('without a cutoff, the start is the deadline', () => {
  const row = rowOf({ cancellation_cutoff_minutes: 0 });
  expect(refusalOf(row, 3, START)).toBeUndefined();
  expect(refusalOf(row, 3, after(START, 1))).toMatchObject({ reason: 'outside_cancellation_window' });
});

test('checks the version, then the state, then the cutoff', () => {
  const late = after(START, 1);
  expect(refusalOf(rowOf({ status: 'completed' }), 2, late)).toMatchObject({ code: 'booking_version_conflict' });
  expect(refusalOf(rowOf({ status: 'completed' }), 3, late)).toMatchObject({ reason: 'booking_not_active' });
  expect(refusalOf(rowOf(), 3, late)).toMatchObject({ reason: 'outside_cancellation_window' });
});

test('a booking record matches the contract, with local times across a daylight-saving change', () => {
  const record = bookingSchema.parse(fullRecord(rowOf(), deadline));
  expect(record).toMatchObject({
    date: '2027-03-28',
    start_time: '03:30',
    end_time: '04:15',
    starts_at: '2027-03-28T03:30:00+02:00',
    change_deadline: '2027-03-28T00:00:00.000Z',
    created_at: '2027-01-01T00:00:00.123Z',
    customer: { name: null, phone_masked: null, email_masked: null, locale: null },
    note_characters: null,
    metadata: null,
  });
  const earlier = rowOf({ starts_at: after(START, -60 * 60_000), start_time: '01:30' });
  expect(bookingRecord(earlier, deadline)).toMatchObject({
    start_time: '01:30',
    starts_at: '2027-03-28T01:30:00+01:00',
    end_time: '04:15',
  });
});

test.for(['cancelled', 'completed', 'no_show'] as const)('there is no deadline in the final state %s', (status) => {
  const ended = status === 'cancelled' ? ({ cancelled_at: MADE, cancelled_by: 'owner' } as const) : {};
  const record = bookingSchema.parse(bookingRecord(rowOf({ status, ...ended }), MADE));
  expect(record).toMatchObject({ change_deadline: null, cancellable: false, reschedulable: false });
});

test('an event contains the previous slot only after a reschedule, and each event has its own id', () => {
  const row = rowOf({ version: 4 });
  const moved = bookingEvent({ type: 'booking.rescheduled', row, previous: rowOf(), actor: 'owner' });
  const payload = JSON.parse(moved.payload);
  expect(payload.data.previous).toEqual({
    date: '2027-03-28',
    start_time: '03:30',
    starts_at: '2027-03-28T03:30:00+02:00',
    specialist_id: 'spc_x',
  });
  expect([payload.id, payload.data.actor, payload.data.booking.version]).toEqual([moved.id, 'owner', 4]);
  const made = bookingEvent({ type: 'booking.created', row, previous: null, actor: 'partner' });
  expect(JSON.parse(made.payload).data.previous).toBeNull();
  expect(made.id).not.toBe(moved.id);
});

const specialist = fc.record({ openClaim: fc.boolean(), minutes: fc.nat(3) });

test('ranks the present specialist first, then open groups, then the fewest minutes, then ids', () => {
  fc.assert(
    fc.property(fc.array(specialist, { minLength: 1, maxLength: 6 }), fc.nat(7), (people, kept) => {
      const ids = people.map((_, i) => `spc_${i}`);
      const slot = {
        startsAt: 600,
        endsAt: 630,
        from: 600,
        to: 630,
        availableCapacity: people.length,
        specialists: people.map(({ openClaim }, i) => ({ specialistId: `spc_${i}`, seatsLeft: 1, openClaim })),
      };
      const claims = people.map(({ minutes }, i) => ({
        specialistId: `spc_${i}`,
        serviceId: 'svc_x',
        locationId: 'loc_x',
        startsAt: 0,
        from: -60,
        to: 120,
        capacity: 1,
        taken: 1,
        durationMinutes: minutes,
      }));
      const order = rankSpecialists(slot, claims, { from: 0, to: 1440 }, ids[kept] ?? null).map(
        (one) => one.specialistId,
      );
      const rank = (id: string) => {
        const i = ids.indexOf(id);
        return [i === kept ? 0 : 1, people[i]?.openClaim ? 0 : 1, people[i]?.minutes ?? 0, i].join(' ');
      };
      expect(order).toEqual([...ids].sort((a, b) => (rank(a) < rank(b) ? -1 : 1)));
    }),
  );
});
