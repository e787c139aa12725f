import { claimId, id, type Row } from './row';

const json = JSON.stringify;
const name = json({ en: 'A name', de: 'Ein Name' });
const weekly = { weekday: 1, opens: '09:00', closes: '24:00' };
const dated = { date: '2026-09-14', hours: json([{ opens: '09:00', closes: '17:00' }]), note: 'A note' };
const minute = '2026-09-14T10:00:00Z';
const HASH = '$argon2id$v=19$m=1,t=1,p=1$a$b';
const ofTenant = { tenant_id: id('ten', 1) };
const work = { ...ofTenant, specialist_id: id('spc', 1), location_id: id('loc', 1) };

const tenant = { name: 'A', time_zone: 'Europe/Berlin', default_locale: 'en', locales: ['en', 'de-CH'] };
const location = {
  name,
  line1: 'A street 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
  time_zone: 'UTC',
  phone: '1',
};
const service = {
  name,
  description: json({ en: 'Long.\nLonger.' }),
  category: name,
  duration_minutes: 30,
  slot_interval_minutes: 15,
  price_amount: 0,
  price_currency: 'EUR',
  max_advance_days: 60,
};
const specialist = { display_name: 'A', title: name, description: name, image_url: 'https://example.com/a.png' };
const application = {
  name: 'A',
  scopes: ['catalog.read', 'webhooks.manage'],
  origins: ['https://partner.example', 'http://localhost:3000'],
  networks: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32'],
};
const key = (number: number): Row => ({
  id: id('key', number),
  application_id: id('app', 1),
  name: 'A',
  key_hash: Buffer.alloc(32, number),
  prefix: 'pbk_test_',
  last_four: 'aB3z',
  created_at: minute,
  expires_at: '2027-01-01T00:00:00Z',
});
const feed = (number: number): Row => ({
  token_hash: Buffer.alloc(32, number),
  created_at: minute,
  issued_at: minute,
});
const times = { starts_at: minute, ends_at: '2026-09-14T10:30:00Z' };
const booking = {
  ...work,
  ...times,
  application_id: id('app', 1),
  service_id: id('svc', 1),
  time_zone: 'Europe/Berlin',
  cancellation_cutoff_minutes: 0,
  price_amount: 4900,
  price_currency: 'EUR',
  external_reference: 'order-4711',
  consent_at: minute,
  created_at: minute,
  updated_at: minute,
};
const bound = {
  application_id: id('app', 1),
  fingerprint: Buffer.alloc(32),
  request_id: id('req', 2),
  created_at: minute,
  expires_at: '2026-09-21T10:00:00Z',
};
const event = { ...ofTenant, application_id: id('app', 1), payload: '{}', at: minute };

/**
 * At least one valid row for every table. Some tables have further rows, for example rows of a second tenant. Parent
 * rows come first.
 */
export const ROWS: readonly (readonly [table: string, row: Row])[] = [
  ['environment', { name: 'TEST', secrets_fingerprint: 'a'.repeat(64), hash_keys: Buffer.alloc(60) }],
  ['tenants', { id: id('ten', 1), ...tenant, name_skeleton: 'a' }],
  ['tenants', { id: id('ten', 2), ...tenant }],
  [
    'tenant_deletions',
    { tenant_id: id('ten', 9), name: 'A', began_at: minute, rows: json({ bookings: 2 }), user_ids: [] },
  ],
  ['users', { id: id('usr', 1), email: 'a@example.com', name: 'A', password_hash: HASH, address_proven_at: minute }],
  ['users', { id: id('usr', 2), email: 'b@example.com', name: 'B', password_hash: HASH, ...ofTenant }],
  [
    'user_identities',
    { issuer: 'https://id.example', subject: id('usr', 1), user_id: id('usr', 1), created_at: minute },
  ],
  ['sessions', { id: id('ses', 1), user_id: id('usr', 1), created_at: minute, expires_at: '2026-09-21T10:00:00Z' }],
  [
    'invitations',
    {
      id: id('inv', 1),
      ...ofTenant,
      email: 'b@example.com',
      role: 'SUPPORT',
      token_hash: Buffer.alloc(32, 1),
      mailed_token_hash: Buffer.alloc(32, 2),
      invited_by_id: id('usr', 1),
      created_at: minute,
      expires_at: '2026-09-21T10:00:00Z',
    },
  ],
  [
    'setup_link',
    { token_hash: Buffer.alloc(32, 1), created_at: '2026-09-21T09:00:00Z', expires_at: '2026-09-21T10:00:00Z' },
  ],
  ['memberships', { ...ofTenant, user_id: id('usr', 1), role: 'OWNER' }],
  [
    'totp_factors',
    { user_id: id('usr', 1), secret: Buffer.alloc(60), created_at: minute, confirmed_at: minute, last_step: 1 },
  ],
  [
    'passkeys',
    {
      id: id('psk', 1),
      user_id: id('usr', 1),
      name: 'Laptop',
      credential_id: Buffer.alloc(16, 1),
      public_key: Buffer.alloc(77, 1),
      counter: 0,
      transports: ['internal'],
      created_at: minute,
    },
  ],
  ['recovery_codes', { user_id: id('usr', 1), code_hash: Buffer.alloc(32, 1), created_at: minute }],
  ['second_steps', { id: id('sst', 1), user_id: id('usr', 1), created_at: minute, expires_at: '2026-09-14T10:10:00Z' }],
  [
    'sign_ins',
    {
      id: id('sgn', 1),
      ...ofTenant,
      user_id: id('usr', 1),
      outcome: 'wrong_password',
      method: 'password',
      network: null,
      minute,
      at: '2026-09-14T10:00:59.999Z',
    },
  ],
  [
    'refused_calls',
    {
      id: id('rfc', 1),
      ...ofTenant,
      user_id: id('usr', 1),
      procedure: null,
      code: 'forbidden',
      minute,
      at: '2026-09-14T10:00:59.999Z',
    },
  ],
  [
    'mails',
    {
      id: id('mal', 1),
      ...ofTenant,
      user_id: id('usr', 1),
      kind: 'key_expiry',
      cause: 'key 14',
      email: 'a@example.com',
      sealed: Buffer.alloc(60),
      created_at: minute,
      expires_at: '2026-09-15T10:00:00Z',
      next_attempt_at: minute,
    },
  ],
  [
    'password_links',
    { token_hash: Buffer.alloc(32, 1), email: 'a@example.com', created_at: minute, expires_at: '2026-09-14T10:30:00Z' },
  ],
  [
    'saved_views',
    {
      id: id('viw', 1),
      ...ofTenant,
      user_id: id('usr', 1),
      page: 'requests',
      number: 1,
      name: 'A view',
      query: json({ status: '4xx' }),
      created_at: minute,
    },
  ],
  ['locations', { id: id('loc', 1), ...ofTenant, ...location }],
  ['locations', { id: id('loc', 2), tenant_id: id('ten', 2), ...location }],
  ['location_hours', { location_id: id('loc', 1), ...weekly }],
  ['location_exceptions', { location_id: id('loc', 1), ...dated }],
  ['services', { id: id('svc', 1), ...ofTenant, ...service }],
  ['services', { id: id('svc', 2), tenant_id: id('ten', 2), ...service }],
  ['specialists', { id: id('spc', 1), ...ofTenant, ...specialist }],
  ['specialists', { id: id('spc', 2), tenant_id: id('ten', 2), ...specialist }],
  ['offerings', { ...work, service_id: id('svc', 1) }],
  ['specialist_hours', { ...work, ...weekly }],
  ['specialist_breaks', { specialist_id: id('spc', 1), ...weekly }],
  ['specialist_exceptions', { ...work, ...dated, hours: '[]' }],
  ['specialist_time_off', { specialist_id: id('spc', 1), starts_at: '2026-09-14T10:00', ends_at: '2026-09-14T10:01' }],
  [
    'blocks',
    {
      id: id('blk', 1),
      ...ofTenant,
      specialist_id: id('spc', 1),
      subject_id: id('spc', 1),
      starts_at: '2026-09-14T22:00',
      ends_at: '2026-09-15T02:00',
      every_weeks: 2,
      weekdays: '{1,3}',
      until: '2026-10-14',
      last_day: '2026-10-15',
      reason: 'A reason',
      source: 'owner',
      created_at: minute,
    },
  ],
  [
    'block_days',
    {
      ...ofTenant,
      subject_id: id('spc', 1),
      block_id: id('blk', 1),
      day: '2026-09-14',
      from_minute: 1320,
      to_minute: 1440,
    },
  ],
  ['calendar_feeds', { id: id('cal', 1), ...ofTenant, ...feed(1), specialist_id: id('spc', 1) }],
  ['calendar_feeds', { id: id('cal', 2), ...ofTenant, ...feed(2), location_id: id('loc', 1), last_read_at: minute }],
  ['calendar_feeds', { id: id('cal', 3), ...ofTenant, ...feed(3) }],
  ['applications', { id: id('app', 1), ...ofTenant, ...application }],
  ['applications', { id: id('app', 2), tenant_id: id('ten', 2), name: 'No list is an empty list' }],
  ['application_locations', { ...ofTenant, application_id: id('app', 1), location_id: id('loc', 1) }],
  ['api_keys', key(1)],
  ['api_keys', { ...key(2), rotated_to_id: id('key', 1), overlap_ends_at: '2027-01-01T00:00:00Z' }],
  ['api_keys', { ...key(3), application_id: id('app', 2) }],
  [
    'request_log',
    { request_id: id('req', 1), at: minute, method: 'GET', status: 401, invalid_fields: ['a.b'], duration_ms: 0.5 },
  ],
  [
    'request_log',
    {
      request_id: id('req', 2),
      at: minute,
      tenant_id: id('ten', 1),
      application_id: id('app', 1),
      key_id: id('key', 1),
      method: 'POST',
      status: 201,
      duration_ms: 0,
      address: '192.0.2.1',
      idempotency_key_hash: Buffer.alloc(32),
    },
  ],
  [
    'audit_log',
    {
      id: id('aud', 1),
      at: minute,
      ...ofTenant,
      actor_kind: 'owner',
      actor_id: id('usr', 1),
      action: 'key.issued',
      object_kind: 'key',
      object_id: id('key', 1),
      after: json({ prefix: 'pbk_test_', last_four: 'aB3z' }),
    },
  ],
  [
    'slot_claims',
    {
      id: claimId(1),
      ...work,
      ...times,
      service_id: id('svc', 1),
      during: '[2026-09-14T09:45:00Z,2026-09-14T10:45:00Z)',
      capacity: 1,
      taken: 1,
    },
  ],
  [
    'bookings',
    {
      reference: id('pbr', 1),
      ...booking,
      claim_id: claimId(1),
      customer_name: Buffer.from('sealed'),
      customer_phone: Buffer.from('sealed'),
    },
  ],
  [
    'bookings',
    {
      reference: id('pbr', 2),
      ...booking,
      status: 'cancelled',
      version: 2,
      cancelled_at: minute,
      cancelled_by: 'partner',
      cancel_reason: 'duplicate',
    },
  ],
  ['idempotency_keys', { ...bound, key_hash: Buffer.alloc(32, 1) }],
  [
    'idempotency_keys',
    {
      ...bound,
      key_hash: Buffer.alloc(32, 2),
      status: 201,
      response: Buffer.from('sealed'),
      booking_reference: id('pbr', 1),
    },
  ],
  [
    'events',
    {
      id: id('evt', 1),
      ...event,
      type: 'booking.created',
      booking_reference: id('pbr', 1),
      version: 1,
      actor: 'partner',
      request_id: id('req', 2),
    },
  ],
  ['events', { id: id('evt', 2), ...event, type: 'webhook.test', actor: 'owner' }],
  [
    'webhook_endpoints',
    {
      ...ofTenant,
      application_id: id('app', 1),
      url: 'https://partner.example/hooks',
      event_types: ['booking.created', 'booking.no_show'],
      changed_at: minute,
      quiet_since: minute,
      created_at: minute,
    },
  ],
  ['webhook_secrets', { application_id: id('app', 1), number: 1, sealed: Buffer.from('sealed'), created_at: minute }],
  [
    'webhook_replays',
    {
      id: id('rpl', 1),
      ...ofTenant,
      application_id: id('app', 1),
      since: minute,
      total: 1,
      created_by_id: id('usr', 1),
      created_at: minute,
    },
  ],
  [
    'deliveries',
    {
      id: id('dlv', 1),
      ...ofTenant,
      application_id: id('app', 1),
      event_id: id('evt', 1),
      next_attempt_at: minute,
      replay_id: id('rpl', 1),
      attempts: 1,
      created_at: minute,
    },
  ],
  ['delivery_attempts', { delivery_id: id('dlv', 1), number: 1, kind: 'scheduled', started_at: minute }],
  ['cache_versions', { topic: 'catalog', id: id('ten', 1), version: claimId(1) }],
  [
    'request_counts',
    {
      ...ofTenant,
      hour: minute,
      application_id: id('app', 1),
      key_id: '',
      route: '',
      status: 200,
      code: '',
      requests: 1,
    },
  ],
  ['request_counts_progress', { counted_until: minute }],
  ['rate_limits', { key: 'rl:1', points: 1, expire: null }],
];
