import { claimId, id, type Row } from './row';
import { badIds, length, long, type Violations } from './violations';

const badReferences: Row[] = [
  '',
  id('xxx', 1),
  `${id('pbr', 1)}0`,
  `${id('pbr', 1)}\n`,
  id('pbr', 1).slice(0, -1),
  id('pbr', 1).toUpperCase(),
  ...['i', 'l', 'o', 'u', 'A'].map((letter) => `pbr_${letter.repeat(26)}`),
].map((reference) => ({ reference }));

const badHashes = (column: string): Row[] =>
  [Buffer.alloc(0), Buffer.alloc(31), Buffer.alloc(33), Buffer.from('a raw idempotency key')].map((hash) => ({
    [column]: hash,
  }));

/** Encrypted values that are empty or too long. */
const sealedLengths = (column: string, max: number): Row[] => [
  { [column]: Buffer.alloc(0) },
  { [column]: Buffer.alloc(max + 1) },
];

/**
 * Claims with an invalid range. The range is empty or unbounded, excludes its start, includes its end, or is shorter
 * than the appointment.
 */
const badRanges: Row[] = [
  'empty',
  '(,)',
  '(,2026-09-14T10:45Z)',
  '[2026-09-14T09:45Z,)',
  '[-infinity,2026-09-14T10:45Z)',
  '[2026-09-14T09:45Z,infinity)',
  '(2026-09-14T09:45Z,2026-09-14T10:45Z)',
  '[2026-09-14T09:45Z,2026-09-14T10:45Z]',
  '[2026-09-14T10:00:01Z,2026-09-14T10:45Z)',
  '[2026-09-14T09:45Z,2026-09-14T10:29:59Z)',
].map((during) => ({ during }));

const cancelled = {
  status: 'cancelled',
  claim_id: null,
  cancelled_at: '2026-09-14T09:00Z',
  cancelled_by: 'partner',
  cancel_reason: null,
};
const standing = { status: 'confirmed', claim_id: claimId(1), cancelled_at: null, cancelled_by: null };
const removed = { claim_id: null, claim_removed_at: '2026-09-21T10:45Z' };
const success = { status: 201, response: Buffer.from('sealed'), booking_reference: id('pbr', 1) };
const unfinished = { status: null, response: null, booking_reference: null };
const ofBooking = { type: 'booking.created', booking_reference: id('pbr', 1), version: 7 };
const ofNothing = { type: 'webhook.test', booking_reference: null, version: null };

/** Every CHECK constraint of the booking tables, by table and name, with changes that it must reject. */
export const BOOKING_CHECKS: Readonly<Record<string, Violations>> = {
  slot_claims: {
    slot_claims_seats: [
      { taken: 0 },
      { taken: 2 },
      { taken: -1 },
      { capacity: 0 },
      { capacity: 0, taken: 0 },
      { capacity: 10_001 },
      { capacity: 10_000, taken: 10_001 },
    ],
    slot_claims_times: [
      { ends_at: '2026-09-14T10:00Z' },
      { ends_at: '2026-09-14T09:50Z' },
      { starts_at: '-infinity' },
      { ends_at: 'infinity' },
      { ends_at: 'infinity', during: '[2026-09-14T09:45Z,infinity)' },
      ...badRanges,
      { overlapping: '[2026-09-14T09:45Z,2026-09-14T10:45Z)' },
      ...badRanges.map(({ during }) => ({ during: 'empty', overlapping: during })),
    ],
  },
  bookings: {
    bookings_reference_format: badReferences,
    bookings_version: [{ version: 0 }, { version: -1 }],
    bookings_seat: [
      { claim_id: null },
      { claim_id: claimId(1) },
      { ...cancelled, claim_id: claimId(1) },
      ...['confirmed', 'completed', 'no_show'].map((status) => ({
        ...standing,
        status,
        cancel_reason: null,
        claim_id: null,
      })),
      { ...standing, ...removed, cancel_reason: null, claim_id: claimId(1) },
      { ...cancelled, ...removed, claim_id: claimId(1) },
    ],
    bookings_claim_removal: ['2026-09-14T10:30Z', '2026-09-14T10:00Z', '-infinity'].flatMap((claim_removed_at) => [
      { ...standing, ...removed, cancel_reason: null, claim_removed_at },
      { ...cancelled, ...removed, claim_removed_at },
    ]),
    bookings_cancellation: [
      { cancelled_at: null },
      { cancelled_by: null },
      { ...cancelled, cancelled_at: null },
      { ...cancelled, cancelled_by: null },
      { ...cancelled, cancelled_at: null, cancelled_by: null },
      { ...cancelled, cancelled_by: '' },
      { ...cancelled, cancelled_by: 'system' },
      { ...cancelled, cancel_reason: '' },
      { ...cancelled, cancel_reason: 'no reason' },
      ...['confirmed', 'completed', 'no_show'].flatMap((status) => [
        { ...standing, cancel_reason: null, status, cancelled_at: '2026-09-14T09:00Z' },
        { ...standing, cancel_reason: null, status, cancelled_by: 'owner' },
        { ...standing, cancel_reason: 'other', status },
      ]),
    ],
    bookings_times: [
      { ends_at: '2026-09-14T10:00Z' },
      { ends_at: '2026-09-14T09:00Z' },
      { starts_at: '-infinity' },
      { ends_at: 'infinity' },
      { cancellation_cutoff_minutes: -1 },
    ],
    bookings_reopened: [{ reopened_at: '2026-09-14T10:00Z' }],
    bookings_price_complete: [{ price_amount: null }, { price_currency: null }],
    bookings_price_amount: [{ price_amount: -1 }],
    bookings_price_currency: [{ price_currency: 'eur' }, { price_currency: '€' }],
    bookings_local_time: [
      { date: null },
      { start_time: '12:00:30' },
      { local_version: null },
      { local_version: 0 },
      { zone_rules: '2026-f' },
    ],
    bookings_local_end: [
      { end_date: null },
      { end_time: '12:30:30' },
      { date: null, start_time: null, local_version: null },
    ],
    bookings_local_known: [{ end_date: null, end_time: null }],
    bookings_external_reference: length('external_reference', 128),
    bookings_consent_source: [{ consent_source: '' }, { consent_source: 'x'.repeat(101) }],
    bookings_consent_text_version: [{ consent_text_version: '' }, { consent_text_version: 'x'.repeat(101) }],
    bookings_consent_withdrawn: [{ consent_withdrawn_at: '2026-09-01T00:00:00Z' }],
    bookings_source: [{ source: 'business' }, { application_id: null }],
    bookings_customer_email: sealedLengths('customer_email', 512),
    bookings_customer_locale: length('customer_locale', 100),
    bookings_note: sealedLengths('note', 8_192),
    bookings_metadata: sealedLengths('metadata', 20_480),
    bookings_name_hashes: [
      [Buffer.alloc(7)],
      [Buffer.alloc(8), Buffer.alloc(9)],
      [null],
      Array.from({ length: 9 }, () => Buffer.alloc(8)),
    ].map((name_hashes) => ({ name_hashes })),
    bookings_phone_hash: [0, 15, 17].map((bytes) => ({ phone_hash: Buffer.alloc(bytes) })),
    bookings_customer: [
      { customer_name: null },
      { customer_phone: null },
      { customer_name: Buffer.from('sealed'), customer_phone: null },
    ],
  },
  idempotency_keys: {
    idempotency_keys_hashes: [...badHashes('key_hash'), ...badHashes('fingerprint')],
    idempotency_keys_success: [
      ...['status', 'response', 'booking_reference'].flatMap((column) => [
        { ...success, [column]: null },
        { ...unfinished, [column]: success[column as keyof typeof success] },
      ]),
      { status: 202, response: null, booking_reference: null },
      ...[0, 199, 202, 204, 400, 404, 409, 500].map((status) => ({ ...success, status })),
    ],
    idempotency_keys_life: [{ expires_at: '2026-09-14T10:00Z' }, { expires_at: '2026-09-14T09:00Z' }],
  },
  events: {
    events_id_format: badIds('evt'),
    events_type: [
      ...['', 'booking.deleted', 'Booking.created'].map((type) => ({ ...ofBooking, type })),
      ...['', 'webhook.tested'].map((type) => ({ ...ofNothing, type })),
      ...['availability.changed', 'catalog.changed', 'webhook.test'].map((type) => ({ ...ofBooking, type })),
      { ...ofBooking, booking_reference: null },
      { ...ofBooking, version: null },
      { ...ofBooking, version: 0 },
      { ...ofBooking, booking_reference: null, version: null },
      { ...ofNothing, version: 1 },
      { ...ofNothing, booking_reference: id('pbr', 1) },
      ...['upcoming', 'anonymized'].map((verb) => ({ ...ofBooking, type: `booking.${verb}` })),
      ...['created', 'rescheduled', 'cancelled', 'completed', 'no_show', 'upcoming', 'anonymized'].map((verb) => ({
        ...ofNothing,
        type: `booking.${verb}`,
      })),
    ],
    events_application: [{ ...ofNothing, application_id: null }],
    events_actor: [{ actor: '' }, { actor: 'Partner' }, { actor: 'application' }],
    events_payload_length: [...length('payload', 16_384), { payload: '{' }, { payload: `"${long(16_383)}"` }],
  },
  erasures: {
    erasures_id_format: badIds('ers'),
    erasures_found_by: [{ found_by: '' }, { found_by: 'email' }],
    erasures_state: [{ state: '' }, { state: 'failed' }, { finished_at: '2026-09-14T10:00Z' }],
    erasures_bookings: [{ bookings: 0 }, { bookings: 501 }],
    erasures_counts: [{ counts: '[]' }, { counts: '{"notes":"a note"}' }, { counts: `{"${long(1_000)}":1}` }],
  },
  event_counters: { event_counters_last: [{ last: 0 }, { last: '9007199254740992' }] },
  event_sequences: { event_sequences_sequence: [{ sequence: 0 }, { sequence: '9007199254740992' }] },
};
