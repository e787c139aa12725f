import { id, type Row } from './row';

/** The names of constraints, each with changes to a valid row. The constraint must reject each changed row. */
export type Violations = Readonly<Record<string, readonly Row[]>>;

const json = JSON.stringify;
/** Returns a string of the given length. */
export const long = (length: number) => 'a'.repeat(length);
/** Returns two invalid values for a column: an empty string and a string longer than `max`. */
export const length = (column: string, max: number): Row[] => [{ [column]: '' }, { [column]: long(max + 1) }];
const outside = (column: string, min: number, max: number): Row[] => [{ [column]: min - 1 }, { [column]: max + 1 }];
/** Returns invalid values for a column that contains ids with the given prefix. */
export const badIds = (prefix: string, column = 'id'): Row[] =>
  ['', '1', id('xxx', 1), `${id(prefix, 1)}0`, id(prefix, 1).toUpperCase(), `${prefix}_8${'0'.repeat(25)}`].map(
    (value) => ({
      [column]: value,
    }),
  );

const notTranslated = (column: string): Row[] =>
  [null, 'text', ['text'], { en: '' }, { en: 1 }, { en: null }, { en: ['text'] }, { en: { de: 'text' } }].map(
    (value) => ({
      [column]: json(value),
    }),
  );
const notShort = (column: string): Row[] => [
  ...notTranslated(column),
  { [column]: '{}' },
  { [column]: json({ en: 'a', de: long(201) }) },
];
const notLong = (column: string): Row[] => [...notTranslated(column), { [column]: json({ en: long(65_536) }) }];

const weekly = (table: string): Violations => ({
  [`${table}_weekday`]: outside('weekday', 1, 7),
  [`${table}_times`]: [
    { opens: '24:00' },
    { opens: '9:00' },
    { opens: '09:60' },
    { opens: '09:00:00' },
    { opens: '09:00\n' },
    { closes: '24:01' },
    { closes: '' },
  ],
});
const dated = (table: string): Violations => ({
  [`${table}_hours`]: [
    'null',
    '{}',
    '"09:00"',
    '[null]',
    '[{}]',
    '[{"opens": "09:00"}]',
    '[{"opens": "09:00", "closes": 1020}]',
    '[{"opens": "24:00", "closes": "01:00"}]',
    '[{"opens": "09:00", "closes": "12:00"}, {"opens": "13:00", "closes": "5 pm"}]',
    '[[{"opens": "09:00", "closes": "12:00"}]]',
    json(Array(200).fill({ opens: '09:00', closes: '12:00' })),
  ].map((hours) => ({ hours })),
  [`${table}_note_length`]: length('note', 500),
});

/**
 * Every CHECK constraint of the tables that the other `violations-…` files do not cover, by table and name, with the
 * changes that it must reject.
 */
export const CHECKS: Readonly<Record<string, Violations>> = {
  environment: {
    environment_one_row: [{ singleton: false }],
    environment_name: [{ name: 'STAGING' }, { name: 'test' }],
    environment_fingerprint: [{ secrets_fingerprint: 'a secret' }, { secrets_fingerprint: 'A'.repeat(64) }],
    environment_previous_fingerprint: [{ previous_fingerprint: 'b' }, { previous_fingerprint: 'a'.repeat(64) }],
    environment_replaced_fingerprint: [{ replaced_fingerprint: 'b' }, { replaced_fingerprint: 'A'.repeat(64) }],
    environment_rotation_keeps_hash_keys: [{ previous_fingerprint: 'b'.repeat(64), hash_keys: null }],
    environment_cell: [{ cell: 'EU01' }, { cell: 'eu1' }, { cell: 'eu011' }],
    environment_zone_rules: [
      { zone_rules: '2026' },
      { zone_rules: '2026F' },
      { zone_rules_derived_at: '2026-09-14T10:00Z' },
    ],
    environment_hash_keys_length: [{ hash_keys: Buffer.alloc(35) }, { hash_keys: Buffer.alloc(1001) }],
  },
  tenant_deletions: {
    tenant_deletions_tenant_id_format: badIds('ten', 'tenant_id'),
    tenant_deletions_name_length: length('name', 200),
    tenant_deletions_rows: [{ rows: '[]' }, { rows: json({ bookings: 'two' }) }, { rows: json({ a: { b: 1 } }) }],
    tenant_deletions_finished: [
      { finished_at: '2026-09-14T09:59:59Z' },
      { finished_at: '2026-09-15T10:00Z', user_ids: [id('usr', 1)] },
    ],
  },
  tenants: {
    tenants_zone_rules: [{ zone_rules: '' }, { zone_rules: '2026-f' }],
    tenants_elsewhere: [{ elsewhere_since: '2026-09-14T10:00Z' }],
    tenants_deletion: [{ deletion_began_at: '2026-09-14T10:00Z' }],
    tenants_retention: [
      ...outside('request_log_days', 1, 30),
      ...outside('contact_days', 1, 3650),
      ...outside('delivery_days', 14, 365),
    ],
    tenants_limits: [
      ...outside('max_applications', 1, 1_000_000),
      ...outside('max_locations', 1, 1_000_000),
      ...outside('max_requests_per_minute', 1, 1_000_000),
    ],
    tenants_complete_after: [
      { complete_after_hours: 0, complete_since: '2026-09-14T10:00Z' },
      { complete_after_hours: 721, complete_since: '2026-09-14T10:00Z' },
      { complete_after_hours: 24 },
      { complete_since: '2026-09-14T10:00Z' },
    ],
    tenants_history_days: outside('history_days', 90, 3650),
    tenants_id_format: badIds('ten'),
    tenants_name_length: length('name', 200),
    tenants_name_skeleton_length: length('name_skeleton', 4000),
    tenants_time_zone_format: [{ time_zone: '' }, { time_zone: 'Europe Berlin' }, { time_zone: long(65) }],
    tenants_locales: [
      { locales: ['en', null] },
      { locales: ['en', 'not a tag'] },
      { locales: ['en', 'de fr'] },
      { locales: ['en', ''] },
      { locales: Array(51).fill('en') },
    ],
    tenants_default_locale: [{ default_locale: 'fr' }, { default_locale: 'EN' }, { locales: ['de'] }],
  },
  users: {
    users_id_format: badIds('usr'),
    users_email_lower_case: [{ email: 'A@example.com' }],
    users_email_format: [
      { email: '' },
      { email: 'nobody' },
      { email: 'a b@example.com' },
      { email: `${long(250)}@b.example` },
    ],
    users_name_length: length('name', 200),
    users_password_hash_argon2id: [{ password_hash: '' }, { password_hash: 'correct horse' }],
    users_proof: [{ address_proven_at: '2026-09-14T10:00:00Z', tenant_id: id('ten', 1) }],
    users_unwanted_mails: [
      { unwanted_mails: [''] },
      { unwanted_mails: ['Key'] },
      { unwanted_mails: ['a', null] },
      { unwanted_mails: Array(21).fill('a') },
    ],
    users_language: [{ language: 'it' }, { language: '' }],
    users_hour_cycle: [{ hour_cycle: 'h24' }],
    users_closed: [{ closed_at: '2026-09-14T10:00:00Z' }],
  },
  user_identities: { user_identities_length: [...length('issuer', 2000), ...length('subject', 255)] },
  sessions: {
    sessions_id_format: badIds('ses'),
    sessions_life: [{ expires_at: '2020-01-01T00:00:00Z' }],
    sessions_network_length: [{ network: '' }, { network: 'a'.repeat(65) }],
    sessions_browser_length: [{ browser: '' }, { browser: 'a'.repeat(41) }],
    sessions_method: [{ method: 'guess' }],
  },
  memberships: {
    memberships_location_limit: [{ all_locations: false }],
  },
  invitations: {
    invitations_location_limit: [
      { location_ids: ['loc'] },
      { role: 'FRONT_DESK', location_ids: Array(101).fill('loc') },
    ],
    invitations_id_format: badIds('inv'),
    invitations_email: [{ email: 'B@example.com' }, { email: 'b' }, { email: long(321) }],
    invitations_token_hash_length: [{ token_hash: Buffer.alloc(31) }, { token_hash: Buffer.alloc(33) }],
    invitations_mailed_token_hash_length: [
      { mailed_token_hash: Buffer.alloc(31) },
      { mailed_token_hash: Buffer.alloc(32, 1) },
    ],
    invitations_life: [
      { expires_at: '2020-01-01T00:00:00Z' },
      { accepted_at: '2026-09-15T10:00:00Z', revoked_at: '2026-09-15T10:00:00Z' },
    ],
  },
  setup_link: {
    setup_link_one_row: [{ singleton: false }],
    setup_link_token_hash_length: [{ token_hash: Buffer.alloc(31) }, { token_hash: Buffer.alloc(33) }],
    setup_link_life: [{ expires_at: '2026-09-21T09:00:00Z' }, { expires_at: '2026-09-21T10:00:01Z' }],
  },
  locations: {
    locations_id_format: badIds('loc'),
    locations_name_translated: notShort('name'),
    locations_address_length: [...length('line1', 200), ...length('city', 200), ...length('postal_code', 20)],
    locations_country_format: [{ country: 'de' }, { country: 'DEU' }, { country: '' }],
    locations_time_zone_format: [{ time_zone: '' }, { time_zone: 'UTC\n' }],
    locations_phone_length: length('phone', 40),
    locations_version: [{ version: 0 }],
  },
  scheduled_prices: {
    scheduled_prices_amount: [{ amount: -1 }],
    scheduled_prices_currency: [{ currency: 'eur' }, { currency: '€' }],
    scheduled_prices_valid_from: [
      { valid_from: '2026-09-13' },
      { valid_from: '2027-09-18' },
      { valid_from: 'infinity' },
      { valid_from: '-infinity' },
    ],
  },
  location_hours: weekly('location_hours'),
  location_exceptions: dated('location_exceptions'),
  services: {
    services_id_format: badIds('svc'),
    services_name_translated: notShort('name'),
    services_description_translated: notLong('description'),
    services_category_translated: notShort('category'),
    services_duration: outside('duration_minutes', 1, 1440),
    services_slot_interval: outside('slot_interval_minutes', 1, 1440),
    services_buffers: [...outside('buffer_before_minutes', 0, 1440), ...outside('buffer_after_minutes', 0, 1440)],
    services_price_complete: [{ price_amount: null }, { price_currency: null }],
    services_price_amount: [{ price_amount: -1 }],
    services_price_currency: [{ price_currency: 'eur' }, { price_currency: '€' }],
    services_capacity: outside('capacity', 1, 10_000),
    services_lead: outside('min_lead_minutes', 0, 525_600),
    services_advance: outside('max_advance_days', 1, 1825),
    services_cutoff: outside('cancellation_cutoff_minutes', 0, 525_600),
    services_version: [{ version: 0 }],
  },
  specialists: {
    specialists_id_format: badIds('spc'),
    specialists_display_name_length: length('display_name', 200),
    specialists_title_translated: notShort('title'),
    specialists_description_translated: notLong('description'),
    specialists_image_url: [
      { image_url: '' },
      { image_url: 'javascript:alert(1)' },
      { image_url: 'https://example.com/a b' },
      { image_url: `https://example.com/${long(2048)}` },
    ],
    specialists_version: [{ version: 0 }],
  },
  specialist_hours: weekly('specialist_hours'),
  specialist_breaks: weekly('specialist_breaks'),
  specialist_exceptions: dated('specialist_exceptions'),
  specialist_time_off: {
    specialist_time_off_ends_after_start: [{ ends_at: '2026-09-14T10:00' }, { ends_at: '2026-09-13T10:00' }],
  },
  blocks: {
    blocks_id_format: badIds('blk'),
    blocks_subject: [
      { location_id: id('loc', 1) },
      { subject_id: id('ten', 1) },
      { specialist_id: null, location_id: id('loc', 1) },
      { specialist_id: null },
    ],
    blocks_range: [
      { ends_at: '2026-09-14T22:00' },
      { ends_at: '2026-09-14T21:00' },
      { starts_at: '2026-09-14T22:00:30' },
      { ends_at: '2026-09-15T01:59:59' },
      { every_weeks: null, weekdays: '{}', until: null, ends_at: '2027-09-15T22:01' },
      { starts_at: '1999-12-31T23:59', ends_at: '2000-01-01T01:00', until: '2000-01-01', last_day: '2000-01-01' },
      { starts_at: '2199-12-31T23:00', ends_at: '2200-01-01T00:01', until: '2199-12-31', last_day: '2199-12-31' },
    ],
    blocks_repeat: [
      { every_weeks: null },
      { until: null, last_day: '2026-09-15' },
      { weekdays: '{}' },
      { every_weeks: null, until: null, last_day: '2026-09-15' },
      { every_weeks: 0 },
      { every_weeks: 53 },
      { weekdays: '{0}' },
      { weekdays: '{1,8}' },
      { weekdays: '{1,NULL}' },
      { weekdays: '{1,2,3,4,5,6,7,1}' },
      { until: '2026-09-13', last_day: '2026-09-14' },
      { until: '2028-09-15' },
      { ends_at: '2026-09-15T22:01' },
    ],
    blocks_last_day: [{ last_day: '2026-09-13' }, { last_day: '2026-10-16' }],
    blocks_reason_length: length('reason', 200),
    blocks_source: [{ source: 'partner' }, { source: '' }, { source: 'calendar' }, { calendar_id: id('cld', 1) }],
    blocks_pushed: [
      { source: 'system' },
      { application_id: id('app', 1) },
      { external_id: 'till-1' },
      { pushed_from: '2026-09-14T10:00:00Z' },
    ],
  },
  block_days: {
    block_days_minutes: [{ from_minute: -1 }, { from_minute: 1440 }, { to_minute: 1320 }, { to_minute: 1441 }],
  },
  applications: {
    applications_id_format: badIds('app'),
    applications_name_length: length('name', 200),
    applications_scopes: [
      { scopes: ['catalog.write'] },
      { scopes: ['catalog.read', null] },
      { scopes: ['Catalog.read'] },
      { scopes: Array(7).fill('catalog.read') },
    ],
    applications_clock_offset: [{ clock_offset_seconds: -1 }, { clock_offset_seconds: 31_536_001 }],
    applications_own_system: [{ own_system: true }, { scopes: ['busy.write'] }],
    applications_origins: [
      { origins: ['https://partner.example/'] },
      { origins: ['partner.example'] },
      { origins: ['https://a.example https://b.example'] },
      { origins: [null] },
      { origins: [''] },
      { origins: Array(101).fill('https://a.example') },
    ],
    applications_networks: [
      { networks: ['example.com'] },
      { networks: ['10.0.0.0/'] },
      { networks: ['10.0.0.1 10.0.0.2'] },
      { networks: [null] },
      { networks: [''] },
      { networks: Array(101).fill('10.0.0.1') },
    ],
    applications_quota: outside('quota', 1, 1_000_000),
    applications_version: [{ version: 0 }],
  },
  calendars: {
    calendars_id_format: badIds('cld'),
    calendars_subject: [{ location_id: id('loc', 1) }, { specialist_id: null }, { subject_id: id('ten', 1) }],
    calendars_name_length: length('name', 100),
    calendars_url_length: [{ url: Buffer.alloc(28) }, { url: Buffer.alloc(8_401) }],
    calendars_validators_length: [{ etag: long(257) }, { last_modified: long(257) }],
    calendars_attempts: [
      { next_attempt_at: null, leased_until: null },
      { url: null },
      { removed_at: '2026-09-14T10:00:00Z' },
      { removed_at: '2026-09-14T10:00:00Z', next_attempt_at: null },
      { failures: -1 },
      { failures: 0 },
      { problem: null },
    ],
    calendars_problem: [{ problem: 'A text' }, { problem: '' }, { problem: long(41) }],
    calendars_counts: [...outside('busy_times', 0, 20_000), ...outside('unread_entries', 0, 20_000)],
  },
  calendar_feeds: {
    calendar_feeds_id_format: badIds('cal'),
    calendar_feeds_subject: [{ specialist_id: id('spc', 1), location_id: id('loc', 1) }],
    calendar_feeds_hash_length: [{ token_hash: Buffer.alloc(31) }, { token_hash: Buffer.alloc(43) }],
  },
  api_keys: {
    api_keys_id_format: badIds('key'),
    api_keys_name_length: length('name', 200),
    api_keys_hash_length: [{ key_hash: Buffer.alloc(31) }, { key_hash: Buffer.from('pbk_test_'.padEnd(47, 'a')) }],
    api_keys_prefix: [{ prefix: 'pbk_' }, { prefix: 'pbk_test_a' }],
    api_keys_start: [
      { start: 'pbk_test_' },
      { start: 'pbk_test_eu01aB3dE9f' },
      { start: 'pbk_test_eu01aB3dE9fGh' },
      { start: 'pbk_test_eu01aB3dE9-G' },
      { start: 'pbk_live_eu01aB3dE9fG' },
    ],
    api_keys_last_four: [{ last_four: 'aB3' }, { last_four: 'aB3zz' }, { last_four: 'a-3z' }],
    api_keys_expiry_after_creation: [
      { expires_at: '2026-09-14T10:00:00Z', overlap_ends_at: null, rotated_to_id: null },
    ],
    api_keys_overlap_within_expiry: [{ overlap_ends_at: '2027-01-01T00:00:01Z', rotated_to_id: id('key', 9) }],
    api_keys_rotation_complete: [
      { overlap_ends_at: null, rotated_to_id: id('key', 9) },
      { overlap_ends_at: '2026-10-01', rotated_to_id: null },
    ],
    api_keys_rotated_to_another: [{ id: id('key', 9), rotated_to_id: id('key', 9), overlap_ends_at: '2026-10-01' }],
  },
  request_counts: {
    request_counts_some: [{ requests: 0 }],
  },
  request_counts_progress: {
    request_counts_progress_one_row: [{ singleton: false }],
  },
  request_log: {
    request_log_id_format: badIds('req', 'request_id'),
    request_log_status: outside('status', 100, 599),
    request_log_duration: [{ duration_ms: -1 }],
    request_log_known_together: [
      { tenant_id: id('ten', 1), application_id: null, key_id: null },
      { tenant_id: null, application_id: id('app', 1), address: null },
      { tenant_id: null, application_id: null, key_id: id('key', 1), address: null },
    ],
    request_log_unknown_without_address: [
      { tenant_id: null, application_id: null, key_id: null, address: '192.0.2.1' },
    ],
    request_log_idempotency_hash_length: [{ idempotency_key_hash: Buffer.from('a raw idempotency key') }],
    request_log_refused: [
      { status: 200, refused: json({ date: '2026-09-14' }) },
      { status: 503, refused: json({ date: '2026-09-14' }) },
      ...[
        [],
        { customer: 'Robin Sample' },
        { service_id: id('loc', 1) },
        { location_id: id('svc', 1) },
        { specialist_id: 'Robin Sample' },
        { date: { name: 'Robin Sample' } },
        { date: '2026-09-14T10:00' },
        { start_time: '10:00\n' },
      ].map((refused) => ({ status: 409, refused: json(refused) })),
    ],
  },
  audit_log: {
    audit_log_id_format: badIds('aud'),
    audit_log_actor: [{ actor_kind: 'nobody' }, { actor_kind: 'owner', actor_id: null }],
    audit_log_text_length: [
      ...length('action', 64),
      ...length('object_kind', 64),
      ...length('object_id', 64),
      { actor_id: long(65) },
    ],
    audit_log_no_secret: [
      { before: json({ key: `pbk_live_${long(38)}` }) },
      { after: json({ secrets: [`whsec_${long(44)}`] }) },
    ],
  },
};
