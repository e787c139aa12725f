import { badIds, length, type Violations } from './violations';

/**
 * Every CHECK constraint of the tables for sign-ins and second factors, by table and name, with changes that it must
 * reject.
 */
export const PEOPLE_CHECKS: Readonly<Record<string, Violations>> = {
  totp_factors: {
    totp_factors_secret_length: [
      { secret: Buffer.from('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP') },
      { secret: Buffer.alloc(201) },
    ],
    totp_factors_confirmed: [{ confirmed_at: null }, { last_step: null }, { last_step: 0 }],
  },
  passkeys: {
    passkeys_id_format: badIds('psk'),
    passkeys_name_length: length('name', 100),
    passkeys_credential: [
      { credential_id: Buffer.alloc(0) },
      { credential_id: Buffer.alloc(1024) },
      { public_key: Buffer.alloc(0) },
      { public_key: Buffer.alloc(4097) },
      { counter: -1 },
      { transports: Array(11).fill('usb') },
    ],
  },
  recovery_codes: {
    recovery_codes_hash_length: [{ code_hash: Buffer.from('abcde-fghjk') }],
  },
  second_steps: {
    second_steps_id_format: badIds('sst'),
    second_steps_life: [{ expires_at: '2026-09-14T10:00:00Z' }, { expires_at: '2026-09-14T10:10:01Z' }],
  },
  mails: {
    mails_id_format: badIds('mal'),
    mails_kind: [{ kind: '' }, { kind: 'Test' }, { kind: 'a'.repeat(41) }],
    mails_cause: [{ cause: '' }, { cause: 'a\nb' }, { cause: 'a@b' }, { cause: 'a'.repeat(121) }],
    mails_email: [
      { email: '' },
      { email: 'a@b.example\r\nRCPT TO:<c@d.example>' },
      { email: 'a@b.example\n' },
      { email: 'a b@c.example' },
      { email: `${'a'.repeat(250)}@b.example` },
    ],
    mails_state: [
      { next_attempt_at: null },
      { sealed: null },
      { sent_at: '2026-09-14T10:00:00Z' },
      { next_attempt_at: null, sent_at: '2026-09-14T10:00:00Z' },
      { next_attempt_at: null, sealed: null, sent_at: '2026-09-14T10:00:00Z', failed_at: '2026-09-14T10:00:00Z' },
      { next_attempt_at: null, sealed: null, sent_at: '2026-09-14T10:00:00Z', leased_until: '2026-09-14T10:00:00Z' },
    ],
    mails_sealed_length: [{ sealed: Buffer.alloc(27) }, { sealed: Buffer.alloc(20_001) }],
    mails_life: [{ expires_at: '2026-09-14T10:00:00Z' }, { expires_at: '2026-09-21T10:00:01Z' }],
    mails_attempts: [
      { attempts: -1 },
      { attempts: 41 },
      { unanswered: -1 },
      { unanswered: 1 },
      { attempts: 3, unanswered: 3 },
    ],
    mails_problem_length: length('problem', 200),
  },
  password_links: {
    password_links_hash_length: [{ token_hash: Buffer.alloc(31) }],
    password_links_email: [{ email: '' }, { email: 'a@b.example\n' }],
    password_links_life: [{ expires_at: '2026-09-14T10:00:00Z' }, { expires_at: '2026-09-14T10:30:01Z' }],
  },
  address_links: {
    address_links_hash_length: [{ token_hash: Buffer.alloc(31) }],
    address_links_email: [{ email: '' }, { email: 'a@b.example\n' }, { email: 'A@b.example' }],
    address_links_life: [{ expires_at: '2026-09-14T10:00:00Z' }, { expires_at: '2026-09-14T10:30:01Z' }],
  },
  saved_views: {
    saved_views_id_format: badIds('viw'),
    saved_views_page: [{ page: '' }, { page: 'audit' }],
    saved_views_number: [{ number: 0 }, { number: 21 }],
    saved_views_name_length: length('name', 60),
    saved_views_query: [{ query: '[]' }, { query: 'null' }, { query: JSON.stringify({ route: 'a'.repeat(4096) }) }],
  },
  sign_ins: {
    sign_ins_id_format: badIds('sgn'),
    sign_ins_outcome: [{ outcome: '' }, { outcome: 'failed' }],
    sign_ins_method: [{ method: '' }, { method: 'sms' }],
    sign_ins_network_length: length('network', 64),
    sign_ins_minute: [
      { minute: '2026-09-14T10:00:01Z' },
      { at: '2026-09-14T10:01:00Z' },
      { at: '2026-09-14T09:59:59.999Z' },
    ],
    sign_ins_attempts: [{ attempts: 0 }],
  },
  refused_calls: {
    refused_calls_id_format: badIds('rfc'),
    refused_calls_procedure: [
      { procedure: '' },
      { procedure: 'Team.list' },
      { procedure: 'team.' },
      { procedure: 'a'.repeat(65) },
    ],
    refused_calls_code: [{ code: '' }, { code: 'invalid_request' }],
    refused_calls_minute: [
      { minute: '2026-09-14T10:00:01Z' },
      { at: '2026-09-14T10:01:00Z' },
      { at: '2026-09-14T09:59:59.999Z' },
    ],
    refused_calls_calls: [{ calls: 0 }],
  },
};
