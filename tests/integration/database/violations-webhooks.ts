import type { Row } from './row';
import { badIds, long, type Violations } from './violations';

const pending = { state: 'pending', next_attempt_at: '2026-09-14T10:00Z', finished_at: null };
const over = { state: 'failed', next_attempt_at: null, finished_at: '2026-09-14T10:00Z' };

/** Every CHECK constraint of the webhook tables, by table and name, with changes that it must reject. */
export const WEBHOOK_CHECKS: Readonly<Record<string, Violations>> = {
  webhook_endpoints: {
    webhook_endpoints_url: ['', 'ftp://partner.example', 'partner.example', `https://a.example/${long(2_048)}`].map(
      (url) => ({ url }),
    ),
    webhook_endpoints_event_types: [
      [],
      ['booking.deleted'],
      ['webhook.test'],
      ['booking.created', null],
      Array.from({ length: 11 }, () => 'booking.created'),
    ].map((event_types): Row => ({ event_types })),
    webhook_endpoints_state: [
      { state: '', state_reason: null },
      { state: 'Active', state_reason: null },
      { state: 'active', state_reason: 'owner' },
      { state: 'paused', state_reason: null },
      { state: 'paused', state_reason: 'gone' },
      { state: 'disabled', state_reason: null },
      { state: 'disabled', state_reason: 'owner' },
    ],
    webhook_endpoints_failed_firsts: [{ failed_firsts: -1 }, { failed_firsts: 6 }],
    webhook_endpoints_counts: [
      { version: 0 },
      { failed_days: -1 },
      { failed_days: 1 },
      { last_failed_on: '2026-09-14' },
    ],
  },
  change_watches: {
    change_watches_types: [
      [],
      ['booking.created'],
      ['catalog.changed', null],
      Array.from({ length: 3 }, () => 'catalog.changed'),
    ].map((types): Row => ({ types })),
    change_watches_catalog: [{ catalog: Buffer.alloc(31) }],
    change_watches_schedules: [{ schedules: '[]' }],
  },
  slot_changes: { slot_changes_range: [{ to_minute: 0 }] },
  webhook_secrets: { webhook_secrets_number: [{ number: 0 }, { number: -1 }] },
  deliveries: {
    deliveries_id_format: badIds('dlv'),
    deliveries_state: [
      { ...pending, state: '' },
      { ...pending, state: 'held' },
      { ...pending, next_attempt_at: null },
      { ...pending, finished_at: '2026-09-14T10:00Z' },
      { ...over, next_attempt_at: '2026-09-14T10:00Z' },
      { ...over, finished_at: null },
      { ...over, state: 'succeeded', finished_at: null },
    ],
    deliveries_attempts: [
      { attempts: 11, scheduled_attempts: 11 },
      { attempts: 2, scheduled_attempts: 2, test: true },
      { attempts: 1, scheduled_attempts: 2 },
      { attempts: 1, scheduled_attempts: -1 },
    ],
    deliveries_forged: [{ forged: true }],
    deliveries_manual: [{ manual_requested_at: '2026-09-14T10:00Z' }],
  },
  readiness_records: {
    readiness_records_kind: [{ kind: '' }, { kind: 'score' }],
    readiness_records_value: [{ value: '[]' }, { value: JSON.stringify({ file: long(16_384) }) }],
  },
  delivery_attempts: {
    delivery_attempts_kind: [
      { kind: '' },
      { kind: 'manual' },
      { kind: 'scheduled', requested_by_id: 'usr_1' },
      { number: 0 },
    ],
    delivery_attempts_answer: [{ answer: long(1_025) }, { error: long(201) }],
  },
  webhook_replays: {
    webhook_replays_bounds: [
      { total: -1 },
      { total: 10_001 },
      { since: '2026-08-31T09:00Z' },
      { since: '2026-09-14T10:01Z' },
    ],
  },
};
