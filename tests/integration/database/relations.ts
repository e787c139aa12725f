import { claimId, id, type Row } from './row';

/** A change that violates a foreign key. It applies to the rows that `where` selects, or to all rows. */
type Orphan = { table: string; change: Row; where?: string };

const unknownTenant = { tenant_id: id('ten', 9) };
const unreferenced = (prefix: string) => `id = '${id(prefix, 2)}'`;

/**
 * Every foreign key, with changes that the foreign key must reject. After such a change, a row would refer to a missing
 * row or to a row of another tenant.
 */
export const FOREIGN_KEYS: Readonly<Record<string, readonly Orphan[]>> = {
  memberships_tenant_id_fkey: [{ table: 'memberships', change: unknownTenant }],
  memberships_user_id_fkey: [{ table: 'memberships', change: { user_id: id('usr', 9) } }],
  users_tenant_id_fkey: [{ table: 'users', change: unknownTenant, where: 'address_proven_at IS NULL' }],
  user_identities_user_id_fkey: [{ table: 'user_identities', change: { user_id: id('usr', 9) } }],
  sessions_user_id_fkey: [{ table: 'sessions', change: { user_id: id('usr', 9) } }],
  invitations_tenant_id_fkey: [{ table: 'invitations', change: unknownTenant }],
  invitations_invited_by_id_fkey: [{ table: 'invitations', change: { invited_by_id: id('usr', 9) } }],
  address_links_user_id_fkey: [{ table: 'address_links', change: { user_id: id('usr', 9) } }],
  mails_tenant_id_fkey: [{ table: 'mails', change: unknownTenant }],
  mails_user_id_fkey: [{ table: 'mails', change: { user_id: id('usr', 9) } }],
  totp_factors_user_id_fkey: [{ table: 'totp_factors', change: { user_id: id('usr', 9) } }],
  passkeys_user_id_fkey: [{ table: 'passkeys', change: { user_id: id('usr', 9) } }],
  recovery_codes_user_id_fkey: [{ table: 'recovery_codes', change: { user_id: id('usr', 9) } }],
  second_steps_user_id_fkey: [{ table: 'second_steps', change: { user_id: id('usr', 9) } }],
  refused_calls_tenant_id_fkey: [{ table: 'refused_calls', change: unknownTenant }],
  refused_calls_user_id_fkey: [{ table: 'refused_calls', change: { user_id: id('usr', 9) } }],
  sign_ins_tenant_id_fkey: [{ table: 'sign_ins', change: unknownTenant }],
  sign_ins_user_id_fkey: [{ table: 'sign_ins', change: { user_id: id('usr', 9) } }],
  saved_views_tenant_id_user_id_fkey: [
    { table: 'saved_views', change: unknownTenant },
    { table: 'saved_views', change: { user_id: id('usr', 9) } },
  ],
  remembered_locations_tenant_id_user_id_fkey: [
    { table: 'remembered_locations', change: unknownTenant },
    { table: 'remembered_locations', change: { user_id: id('usr', 9) } },
  ],
  remembered_locations_tenant_id_location_id_fkey: [
    { table: 'remembered_locations', change: { location_id: id('loc', 9) } },
    { table: 'remembered_locations', change: { location_id: id('loc', 2) } },
  ],
  member_locations_tenant_id_user_id_fkey: [
    { table: 'member_locations', change: unknownTenant },
    { table: 'member_locations', change: { user_id: id('usr', 9) } },
  ],
  member_locations_tenant_id_location_id_fkey: [
    { table: 'member_locations', change: { location_id: id('loc', 9) } },
    { table: 'member_locations', change: { location_id: id('loc', 2) } },
  ],
  locations_tenant_id_fkey: [{ table: 'locations', change: unknownTenant, where: unreferenced('loc') }],
  services_tenant_id_fkey: [{ table: 'services', change: unknownTenant, where: unreferenced('svc') }],
  specialists_tenant_id_fkey: [{ table: 'specialists', change: unknownTenant, where: unreferenced('spc') }],
  applications_tenant_id_fkey: [{ table: 'applications', change: unknownTenant, where: unreferenced('app') }],
  location_hours_location_id_fkey: [{ table: 'location_hours', change: { location_id: id('loc', 9) } }],
  location_exceptions_location_id_fkey: [{ table: 'location_exceptions', change: { location_id: id('loc', 9) } }],
  specialist_breaks_specialist_id_fkey: [{ table: 'specialist_breaks', change: { specialist_id: id('spc', 9) } }],
  specialist_time_off_specialist_id_fkey: [{ table: 'specialist_time_off', change: { specialist_id: id('spc', 9) } }],
  offerings_tenant_id_specialist_id_fkey: within('offerings', 'specialist_id', 'spc'),
  offerings_tenant_id_service_id_fkey: within('offerings', 'service_id', 'svc'),
  offerings_tenant_id_location_id_fkey: within('offerings', 'location_id', 'loc'),
  specialist_hours_tenant_id_specialist_id_fkey: within('specialist_hours', 'specialist_id', 'spc'),
  specialist_hours_tenant_id_location_id_fkey: within('specialist_hours', 'location_id', 'loc'),
  specialist_exceptions_tenant_id_specialist_id_fkey: within('specialist_exceptions', 'specialist_id', 'spc'),
  specialist_exceptions_tenant_id_location_id_fkey: within('specialist_exceptions', 'location_id', 'loc'),
  blocks_tenant_id_fkey: [
    {
      table: 'blocks',
      change: { ...unknownTenant, specialist_id: null, subject_id: unknownTenant.tenant_id },
      where: `id = '${id('blk', 1)}'`,
    },
  ],
  blocks_tenant_id_specialist_id_fkey: [9, 2].map((number) => ({
    table: 'blocks',
    change: { specialist_id: id('spc', number), subject_id: id('spc', number) },
    where: `id = '${id('blk', 1)}'`,
  })),
  blocks_tenant_id_location_id_fkey: [9, 2].map((number) => ({
    table: 'blocks',
    change: { specialist_id: null, location_id: id('loc', number), subject_id: id('loc', number) },
    where: `id = '${id('blk', 1)}'`,
  })),
  blocks_tenant_id_application_id_fkey: within('blocks', 'application_id', 'app').map((orphan) => ({
    ...orphan,
    where: `id = '${id('blk', 3)}'`,
  })),
  blocks_tenant_id_subject_id_calendar_id_fkey: [
    { table: 'blocks', change: { calendar_id: id('cld', 9) }, where: `id = '${id('blk', 2)}'` },
    // Calendar 2 is that of a location.
    { table: 'blocks', change: { calendar_id: id('cld', 2) }, where: `id = '${id('blk', 2)}'` },
  ],
  calendars_tenant_id_fkey: [{ table: 'calendars', change: unknownTenant, where: `id = '${id('cld', 2)}'` }],
  calendars_tenant_id_specialist_id_fkey: [9, 2].map((number) => ({
    table: 'calendars',
    change: { specialist_id: id('spc', number), location_id: null, subject_id: id('spc', number) },
    where: `id = '${id('cld', 2)}'`,
  })),
  calendars_tenant_id_location_id_fkey: [9, 2].map((number) => ({
    table: 'calendars',
    change: { location_id: id('loc', number), subject_id: id('loc', number) },
    where: `id = '${id('cld', 2)}'`,
  })),
  scheduled_prices_tenant_id_service_id_fkey: within('scheduled_prices', 'service_id', 'svc'),
  block_days_tenant_id_subject_id_block_id_fkey: [
    { table: 'block_days', change: unknownTenant },
    { table: 'block_days', change: { subject_id: id('spc', 2) } },
    { table: 'block_days', change: { block_id: id('blk', 9) } },
  ],
  calendar_feeds_tenant_id_fkey: [{ table: 'calendar_feeds', change: unknownTenant, where: `id = '${id('cal', 3)}'` }],
  calendar_feeds_tenant_id_specialist_id_fkey: withinFeed('specialist_id', 'spc', 1),
  calendar_feeds_tenant_id_location_id_fkey: withinFeed('location_id', 'loc', 2),
  readiness_records_tenant_id_application_id_fkey: within('readiness_records', 'application_id', 'app'),
  application_locations_tenant_id_application_id_fkey: within('application_locations', 'application_id', 'app'),
  application_locations_tenant_id_location_id_fkey: within('application_locations', 'location_id', 'loc'),
  api_keys_application_id_fkey: [
    { table: 'api_keys', change: { application_id: id('app', 9) }, where: `id = '${id('key', 3)}'` },
  ],
  api_keys_application_id_rotated_to_id_fkey: [
    { table: 'api_keys', change: { rotated_to_id: id('key', 9) }, where: `id = '${id('key', 2)}'` },
    // Key 3 belongs to a different application than key 2.
    { table: 'api_keys', change: { rotated_to_id: id('key', 3) }, where: `id = '${id('key', 2)}'` },
  ],
  slot_claims_tenant_id_specialist_id_fkey: within('slot_claims', 'specialist_id', 'spc'),
  slot_claims_tenant_id_service_id_fkey: within('slot_claims', 'service_id', 'svc'),
  slot_claims_tenant_id_location_id_fkey: within('slot_claims', 'location_id', 'loc'),
  bookings_tenant_id_application_id_fkey: within('bookings', 'application_id', 'app'),
  bookings_tenant_id_service_id_fkey: within('bookings', 'service_id', 'svc'),
  bookings_tenant_id_location_id_fkey: within('bookings', 'location_id', 'loc'),
  bookings_tenant_id_specialist_id_fkey: within('bookings', 'specialist_id', 'spc'),
  bookings_claim_id_fkey: [{ table: 'bookings', change: { claim_id: claimId(9) }, where: 'claim_id IS NOT NULL' }],
  erasures_tenant_id_fkey: [{ table: 'erasures', change: unknownTenant, where: `id = '${id('ers', 2)}'` }],
  erasure_bookings_tenant_id_erasure_id_fkey: [
    { table: 'erasure_bookings', change: { tenant_id: id('ten', 2) } },
    { table: 'erasure_bookings', change: { erasure_id: id('ers', 2) } },
  ],
  idempotency_keys_application_id_fkey: [{ table: 'idempotency_keys', change: { application_id: id('app', 9) } }],
  events_tenant_id_application_id_fkey: within('events', 'application_id', 'app'),
  event_counters_tenant_id_application_id_fkey: within('event_counters', 'application_id', 'app'),
  event_sequences_event_id_fkey: [{ table: 'event_sequences', change: { event_id: id('evt', 9) } }],
  change_watches_tenant_id_application_id_fkey: within('change_watches', 'application_id', 'app'),
  slot_changes_tenant_id_fkey: [{ table: 'slot_changes', change: unknownTenant }],
  events_booking_reference_fkey: [
    { table: 'events', change: { booking_reference: id('pbr', 9) }, where: 'booking_reference IS NOT NULL' },
  ],
  webhook_endpoints_tenant_id_application_id_fkey: [{ table: 'webhook_endpoints', change: unknownTenant }],
  webhook_secrets_application_id_fkey: [{ table: 'webhook_secrets', change: { application_id: id('app', 2) } }],
  webhook_replays_tenant_id_application_id_fkey: within('webhook_replays', 'application_id', 'app'),
  deliveries_tenant_id_application_id_fkey: within('deliveries', 'application_id', 'app'),
  deliveries_event_id_fkey: [{ table: 'deliveries', change: { event_id: id('evt', 9) } }],
  deliveries_replay_id_fkey: [{ table: 'deliveries', change: { replay_id: id('rpl', 9) } }],
  delivery_attempts_delivery_id_fkey: [{ table: 'delivery_attempts', change: { delivery_id: id('dlv', 9) } }],
};

/**
 * SQL that leaves only claims (`slot_claims`) or only bookings without a claim (`bookings`). Then only the tested
 * foreign key can prevent the deletion of a parent row.
 */
const only = {
  slot_claims: 'DELETE FROM bookings',
  bookings: 'DELETE FROM bookings WHERE claim_id IS NOT NULL; DELETE FROM slot_claims',
};

/** Every foreign key that prevents the deletion of rows in `parent`. The SQL in `before` (see `only`) runs first. */
export const RESTRICTING: Readonly<Record<string, { parent: string; before: string }>> = {
  slot_claims_tenant_id_specialist_id_fkey: { parent: 'specialists', before: only.slot_claims },
  slot_claims_tenant_id_service_id_fkey: { parent: 'services', before: only.slot_claims },
  slot_claims_tenant_id_location_id_fkey: { parent: 'locations', before: only.slot_claims },
  bookings_tenant_id_application_id_fkey: { parent: 'applications', before: only.bookings },
  bookings_tenant_id_service_id_fkey: { parent: 'services', before: only.bookings },
  bookings_tenant_id_location_id_fkey: { parent: 'locations', before: only.bookings },
  bookings_tenant_id_specialist_id_fkey: { parent: 'specialists', before: only.bookings },
};

/**
 * Returns two changes to a column that contains the id of another record. The first change refers to record 9, which
 * does not exist. The second change refers to record 2, which belongs to another tenant.
 */
function within(table: string, column: string, prefix: string): Orphan[] {
  return [9, 2].map((number) => ({ table, change: { [column]: id(prefix, number) } }));
}

/** Like `within`, for the feed whose column contains an id. */
function withinFeed(column: string, prefix: string, feed: number): Orphan[] {
  return within('calendar_feeds', column, prefix).map((orphan) => ({ ...orphan, where: `id = '${id('cal', feed)}'` }));
}

/**
 * Every unique index, except those of primary keys. Each index must reject a copy of the row `copyOf` with `change`
 * applied.
 */
export const UNIQUE: Readonly<Record<string, { table: string; copyOf: string | number; change: Row }>> = {
  users_proven_email_key: { table: 'users', copyOf: id('usr', 1), change: { id: id('usr', 8) } },
  users_tenant_id_email_key: { table: 'users', copyOf: id('usr', 2), change: { id: id('usr', 8) } },
  user_identities_issuer_user_id_key: {
    table: 'user_identities',
    copyOf: '',
    change: { issuer: 'https://id.example', subject: '2', user_id: id('usr', 1), created_at: '2026-09-14T10:00Z' },
  },
  tenants_name_skeleton_key: { table: 'tenants', copyOf: id('ten', 1), change: { id: id('ten', 8) } },
  tenant_deletions_unfinished: {
    table: 'tenant_deletions',
    // The test finds the row to copy by its `id`. This table has no column `id`, so `change` is the whole new row.
    copyOf: '',
    change: { tenant_id: id('ten', 9), name: 'B', began_at: '2026-09-15T10:00Z', user_ids: [] },
  },
  invitations_token_hash_key: {
    table: 'invitations',
    copyOf: id('inv', 1),
    change: { id: id('inv', 8), email: 'c@example.com', mailed_token_hash: null },
  },
  invitations_mailed_token_hash_key: {
    table: 'invitations',
    copyOf: id('inv', 1),
    change: { id: id('inv', 8), email: 'c@example.com', token_hash: Buffer.alloc(32, 8) },
  },
  mails_kind_cause_email_key: { table: 'mails', copyOf: id('mal', 1), change: { id: id('mal', 8) } },
  invitations_tenant_id_email_key: {
    table: 'invitations',
    copyOf: id('inv', 1),
    change: { id: id('inv', 8), token_hash: Buffer.alloc(32, 8), mailed_token_hash: null },
  },
  passkeys_credential_id_key: { table: 'passkeys', copyOf: id('psk', 1), change: { id: id('psk', 8) } },
  refused_calls_of_a_minute: { table: 'refused_calls', copyOf: id('rfc', 1), change: { id: id('rfc', 8) } },
  sign_ins_of_a_minute: { table: 'sign_ins', copyOf: id('sgn', 1), change: { id: id('sgn', 8) } },
  saved_views_tenant_id_user_id_page_number_key: {
    table: 'saved_views',
    copyOf: id('viw', 1),
    change: { id: id('viw', 8), name: 'Another view' },
  },
  saved_views_name_key: {
    table: 'saved_views',
    copyOf: id('viw', 1),
    change: { id: id('viw', 8), number: 2, name: 'a VIEW' },
  },
  blocks_calendar_id_source_starts_at_ends_at_key: {
    table: 'blocks',
    copyOf: id('blk', 2),
    change: { id: id('blk', 8) },
  },
  blocks_application_id_external_id_key: {
    table: 'blocks',
    copyOf: id('blk', 3),
    change: { id: id('blk', 8) },
  },
  calendar_feeds_token_hash_key: {
    table: 'calendar_feeds',
    copyOf: id('cal', 3),
    change: { id: id('cal', 8), tenant_id: id('ten', 2) },
  },
  calendar_feeds_tenant_id_specialist_id_location_id_key: {
    table: 'calendar_feeds',
    copyOf: id('cal', 3),
    change: { id: id('cal', 8), token_hash: Buffer.alloc(32, 8) },
  },
  api_keys_key_hash_key: { table: 'api_keys', copyOf: id('key', 1), change: { id: id('key', 8) } },
  api_keys_application_id_rotated_to_id_key: {
    table: 'api_keys',
    copyOf: id('key', 2),
    change: { id: id('key', 8), key_hash: Buffer.alloc(32, 8) },
  },
  erasures_running: { table: 'erasures', copyOf: id('ers', 1), change: { id: id('ers', 8) } },
  events_booking_reference_version_key: { table: 'events', copyOf: id('evt', 1), change: { id: id('evt', 8) } },
  event_sequences_event_id_key: { table: 'event_sequences', copyOf: 1, change: { sequence: 2 } },
  deliveries_event_id_key: { table: 'deliveries', copyOf: id('dlv', 1), change: { id: id('dlv', 8) } },
  webhook_secrets_current: { table: 'webhook_secrets', copyOf: 1, change: { number: 2 } },
};

/**
 * Returns the changes that turn a copy of the first claim into a second claim. By default, both claims are of the same
 * specialist.
 */
const claim = (from: string, to: string, change: Row = {}): Row => ({
  id: claimId(8),
  starts_at: `2026-09-14T${from}Z`,
  ends_at: `2026-09-14T${to}Z`,
  during: `[2026-09-14T${from}Z,2026-09-14T${to}Z)`,
  ...change,
});

/** Every exclusion constraint, with rows that it must reject and accept. */
export const EXCLUSIONS: Readonly<
  Record<string, { table: string; copyOf: string; refused: readonly Row[]; accepted: readonly Row[] }>
> = {
  // The first claim in `ROWS` is from 10:00 to 10:30. With its buffers, it is from 09:45 to 10:45.
  slot_claims_no_overlap: {
    table: 'slot_claims',
    copyOf: claimId(1),
    refused: [
      claim('09:45', '10:45'),
      claim('10:10', '10:20'),
      claim('09:00', '11:00'),
      claim('09:00', '09:45:01'),
      claim('10:44:59', '11:00'),
      // This claim is within the buffer after the first claim.
      claim('10:30', '10:45'),
      // Without its buffer, which starts at 10:40, this claim would not overlap the first claim.
      claim('10:45', '11:00', { during: '[2026-09-14T10:40Z,2026-09-14T11:00Z)' }),
      claim('10:00', '10:30', { capacity: 10, taken: 2 }),
    ],
    accepted: [
      claim('09:00', '09:45'),
      claim('10:45', '11:00'),
      claim('10:00', '10:30', {
        tenant_id: id('ten', 2),
        specialist_id: id('spc', 2),
        service_id: id('svc', 2),
        location_id: id('loc', 2),
      }),
    ],
  },
};
