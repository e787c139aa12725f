/**
 * A small change of the code that the tests must notice. `npm run test:mutants` replaces `from`, which must be an
 * expression, or a piece of a template in backticks, that occurs once in `file`. `tests` are the test files that notice it.
 */
export type Mutant = { id: string; file: string; from: string; to: string; tests: string[] };

/** The changes of a file by id. Each is an expression and its replacement. */
type Changes = Record<string, [from: string, to: string]>;

const of = (file: string, tests: string[], changes: Changes): Mutant[] =>
  Object.entries(changes).map(([id, [from, to]]) => ({ id, file: `lib/${file}.ts`, from, to, tests }));

const availability = [
  ...of('booking/availability/claims', ['integration/bookings/busy'], {
    A17: ['room - 1', 'room'],
    A23: ['`taken >= capacity AND id IS DISTINCT FROM asked.own`', '`taken >= capacity`'],
  }),
  ...of('booking/availability/list-days', ['unit/availability/list-days'], {
    A24: ['to - 1 + service.durationMinutes', 'to - 2 + service.durationMinutes'],
    A25: ['done.has(day)', 'true'],
  }),
  ...of('booking/availability/slots', ['unit/availability/working-time'], {
    A22: ['Math.floor(from / DAY) - 3', 'Math.floor(from / DAY) - 1'],
  }),
  ...of(
    'booking/availability/slots',
    ['unit/availability/check-slot', 'unit/availability/worked-days', 'unit/availability/slots'],
    {
      A02: ['claim.taken > 1', 'false'],
      A16: ['!claim.isOwn', 'true'],
      A05: ['hours.to < end', 'hours.to <= end'],
      A06: ['claim.to <= from', 'claim.to < from'],
      A07: ['claim.from >= to', 'claim.from > to'],
      A09: ['claim.locationId === location.id', 'true'],
      A10: ['claim.serviceId === service.id', 'true'],
    },
  ),
  ...of(
    'booking/availability/slots',
    ['unit/availability/check-slot', 'unit/availability/worked-days', 'unit/availability/slots'],
    {
      A11: ['minute % service.slotIntervalMinutes === 0', 'true'],
      A12: ['start === null || start < earliest', 'start === null || start <= earliest'],
      A13: ['(day - firstDay) % 7 === 0', '(day - firstDay) % 14 === 0'],
    },
  ),
  ...of('booking/availability/input', ['unit/availability/prepare', 'unit/availability/worked-days'], {
    A19: ['closes > from ? closes : closes + DAY', 'closes >= from ? closes : closes + DAY'],
    A20: ['mergeIntervals(timeOff)', 'timeOff'],
  }),
  ...of(
    'booking/availability/input',
    ['unit/availability/prepare', 'unit/availability/worked-days', 'unit/availability/slots'],
    {
      A01: ['next.from > current.to', 'next.from >= current.to'],
    },
  ),
  ...of('booking/availability/list-slots', ['unit/availability/list-slots'], {
    A18: ['found.length > limit', 'found.length >= limit'],
  }),
];

const bookings = [
  ...of('booking/bookings/customer', ['unit/bookings/customer'], {
    R26: ["[...name][0] ?? ''", "name[0] ?? ''"],
    R30: ['phone.slice(-3)', 'phone.slice(-4)'],
  }),
  ...of('booking/bookings/resolve', ['integration/partner-v1/createBooking/404'], {
    R22: ['!catalog.locations.has(locationId)', 'false'],
  }),
  ...of('booking/bookings/list-filter', ['integration/control-center/bookings-read'], {
    R23: ["sql`b.status <> 'cancelled'`", "sql`b.status = 'confirmed'`"],
  }),
  ...of('booking/bookings/owner-reschedule', ['integration/control-center/bookings-reschedule'], {
    R16: ['tx.run(specialistLocks(lockedSpecialists(unlocked, offer)))', 'undefined'],
    R29: ['previous.version !== move.expectedVersion', 'false'],
  }),
  ...of('booking/idempotency/once', ['unit/idempotency/key'], {
    I02: ["keyed('request', method, path, canonicalJson(body))", "keyed('request', method, canonicalJson(body))"],
    I06: ['/^[\\x21-\\x7e]{16,128}$/', '/^[\\x21-\\x7e]{16,129}$/'],
  }),
  ...of('booking/idempotency/once', ['integration/idempotency/life', 'integration/idempotency/replay'], {
    I05: ['KEPT_DAYS * 86_400_000', '(KEPT_DAYS - 1) * 86_400_000'],
  }),
  ...of('booking/idempotency/once', ['integration/idempotency/refusals'], {
    I01: ["error.code === 'booking_version_conflict'", 'false'],
  }),
  ...of('booking/catalog/edit/hours', ['unit/catalog/schemas'], {
    C17: ['to > from', 'to >= from'],
  }),
  ...of('booking/catalog/list', ['unit/catalog/page'], {
    C04: ['rest.length > limit', 'rest.length >= limit'],
  }),
];

const http = [
  ...of('http/partner-api/admission', ['integration/partner-v1/listCatalog/401'], {
    P01: ["header?.slice(0, 7).toLowerCase() !== 'bearer '", "header?.slice(0, 7) !== 'Bearer '"],
    P02: [
      "policyOfHash(hashKey(presented).toString('base64'))",
      "(globalThis.first ??= policyOfHash(hashKey(presented).toString('base64')))",
    ],
  }),
  ...of('http/partner-api/admission', ['unit/rate-limit/tenant-quota'], {
    P07: ['shared.exceeded || shared.remaining < own.remaining', 'shared.remaining < own.remaining'],
    P19: ['own.exceeded || tenantQuota === null', 'tenantQuota === null'],
  }),
  ...of('http/partner-api/work', ['unit/overload/work'], {
    P10: ['oldest.call.responded || !end', '!end'],
    P20: ['isRead ? READ : WRITE', 'READ'],
  }),
  ...of('http/partner-api/cursor', ['unit/partner-api/cursor'], {
    P04: [
      '[scope.applicationId, scope.operation, scope.filters, position]',
      '[scope.applicationId, scope.operation, position]',
    ],
    P06: ["Buffer.from(position).toString('base64url') !== cursor.slice(MAC_LENGTH)", 'false'],
  }),
  ...of('http/partner-api/request', ['unit/partner-api/body'], {
    P13: [
      '{ depth: MAX_DEPTH, entries: MAX_BODY, values: MAX_BODY }',
      '{ depth: MAX_DEPTH + 1, entries: MAX_BODY, values: MAX_BODY }',
    ],
    P21: ['duplicateKeys(text, 1).length > 0', 'false'],
  }),
  ...of('http/partner-api/locale', ['unit/partner-api/locale'], {
    P18: ["locales.join(' ')", "''"],
  }),
  ...of('http/partner-api/work', ['unit/overload/shares'], {
    P22: ['own > share * (capacity - total)', 'own > share * capacity'],
    P23: ['!open', 'false'],
  }),
  ...of('http/edge/exchange', ['unit/edge/address'], {
    E01: ['hop < proxies && end >= 0', 'end >= 0'],
    E02: ['match?.[1] ?? text', 'text'],
  }),
  ...of('http/edge/target', ['unit/edge/target'], {
    E03: ["'\\\\'", "'|'"],
    E04: ['!OPERATOR_PATHS.has(path)', 'true'],
  }),
];

const access = [
  ...of('access/applications/policy', ['integration/applications/rotation'], {
    X02: ['Math.min(...ends)', 'Math.max(...ends)'],
  }),
  ...of('access/applications/networks', ['unit/applications/networks'], {
    X09: ['COMPATIBLE.test(text)', 'false'],
    X35: ['mapped ? 96 : 0', '0'],
  }),
  ...of('access/applications/key-format', ['unit/applications/key-format', 'unit/applications/key-format-live'], {
    X36: ['checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH)', 'true'],
    X37: ['key.startsWith(other)', 'false'],
  }),
  ...of('access/owners/totp', ['integration/control-center/second-factor'], {
    X19: ['{ userId, confirmedAt: null, secret: factor.secret }', '{ userId, confirmedAt: null }'],
    X17: ['{ userId, lastStep: { lt: step } }', '{ userId }'],
  }),
  ...of('access/owners/recovery-codes', ['integration/control-center/second-factor'], {
    X22: ['{ userId, codeHash: hashCode(code), usedAt: null }', '{ userId, codeHash: hashCode(code) }'],
  }),
  ...of('access/owners/password-rules', ['unit/access/password-rules'], {
    X38: ['core.length >= MIN_PART && name.includes(core)', 'false'],
    X39: ['unit.length < MIN_UNIT', 'false'],
  }),
  ...of('access/owners/email', ['unit/access/email'], {
    X40: ['!containsSecret(text)', 'true'],
  }),
];

const webhooks = [
  ...of('webhooks/insert', ['integration/webhooks/endpoint'], {
    W23: ['`= ANY (endpoint.event_types)`', '`IS NOT NULL`'],
  }),
  ...of('webhooks/lease', ['integration/webhooks/endpoint'], {
    W05: ['30_000', '10_000'],
  }),
  ...of('webhooks/send', ['unit/webhooks/send'], {
    W26: ['length >= MAX_BODY', 'false'],
  }),
  ...of('webhooks/held', ['integration/webhooks/endpoint'], {
    W17: ['{ nextAttemptAt: now }', '{}'],
  }),
  ...of('webhooks/after-attempt', ['unit/webhooks/after-attempt'], {
    W06: ['url !== endpoint.url', 'false'],
    W07: ['failedDays >= FAILED_DAYS', 'true'],
    W08: ["attempt.kind === 'scheduled'", 'true'],
  }),
  ...of('webhooks/schedule', ['unit/webhooks/schedule'], {
    W09: ['2 * planned', '20 * planned'],
  }),
  ...of('webhooks/addresses', ['unit/webhooks/addresses'], {
    W12: ["address.includes('%') || !ipaddr.isValid(address)", '!ipaddr.isValid(address)'],
    W28: ['INTERNAL_IPV4.has(parsed.toString())', 'false'],
  }),
];

const activity = [
  ...of('activity/request-log/buffer', ['unit/request-log/bounds'], {
    L02: ['current.entries.length >= MAX_ENTRIES', 'false'],
  }),
  ...of('activity/request-log/refusals', ['unit/request-log/bounds'], {
    L08: ['window.entries <= MAX_ENTRIES', 'window.entries < MAX_ENTRIES'],
  }),
  ...of('activity/request-log/bounds', ['unit/request-log/bounds'], {
    L09: ['60_000', '0'],
  }),
  ...of('activity/request-log/buffer', ['integration/request-log/lines'], {
    L05: ["code !== 'invalid_api_key'", 'true'],
    L10: ['`AND api_keys.revoked_at IS NULL`', '``'],
  }),
];

const operations = [
  ...of('operations/retention/prune', ['integration/retention/prune'], {
    O01: ['daysBefore(now, CLAIM_DAYS)', 'daysBefore(now, CLAIM_DAYS - 1)'],
    O03: ['`manual_requested_at IS NULL`', '`true`'],
    O04: ["activeSql('e', 'a')", "'false'"],
    O05: ['`(b.reference IS NULL OR b.ends_at < $2)`', '`true`'],
  }),
  ...of('operations/tenants/delete', ['integration/tenants/delete-requests'], {
    O19: ['wait > 0', 'false'],
  }),
  ...of('operations/tenants/import', ['integration/tenants/import'], {
    O14: ['client.query(RECOUNT, [created_at])', 'undefined'],
  }),
  ...of('operations/retry-job', ['unit/operations/retry-job'], {
    O20: ['retry === MAX_RETRIES', 'false'],
    O21: ['2 ** retry', '1'],
  }),
  ...of('operations/cells', ['unit/cells/cells'], {
    O22: ['!cells[home]', 'false'],
    O23: ['start.toLowerCase()', 'start'],
  }),
];

const controlCenter = [
  ...of('control-center/requests/filter', ['unit/control-center/request-period'], {
    K08: ['given.to < now ? given.to : now', 'given.to'],
  }),
  ...of('control-center/trpc/routers/webhooks', ['integration/control-center/webhooks-endpoints'], {
    K03: ["ctx.member.role === 'OWNER' ? found.url : new URL(found.url).origin", 'found.url'],
  }),
  ...of('control-center/trpc/routers/applications', ['integration/control-center/applications'], {
    K11: ['input.all_locations ? [] : [...new Set(input.location_ids)]', '[...new Set(input.location_ids)]'],
  }),
  ...of('control-center/exports/csv', ['unit/control-center/audit-export', 'integration/control-center/export'], {
    K12: ['text.replace(FORMULA, "$1\'")', 'text'],
  }),
];

const contract = [
  ...of('contract/bookings', ['unit/bookings/phone'], {
    T01: ["code === '' ? plain : rest", "''"],
    T02: ["inner.startsWith('0')", 'false'],
  }),
  ...of('contract/errors/request-error', ['unit/text/request-error'], {
    T03: ['!named.has(name)', 'true'],
    T04: ['fields.slice(0, MAX_FIELDS)', 'fields'],
  }),
];

const platform = [
  ...of('platform/turns', ['unit/overload/turns'], {
    F01: ['running < most', 'true'],
    F02: ['(runningOf.get(client) ?? 0) < each', 'true'],
  }),
  ...of('platform/batch', ['unit/batch/batch'], {
    F03: ['waiting.splice(0, MAX_CALLS)', 'waiting.splice(0)'],
  }),
  ...of('platform/text/json-structure', ['unit/text/json-structure'], {
    F04: ['(end - before) % 2 === 1', 'true'],
    F05: ['at - start > longest', 'false'],
  }),
  ...of('platform/text/name', ['unit/text/name'], {
    F06: ['NOT_IN_A_NAME.test(name)', 'false'],
  }),
  ...of('platform/text/utf8', ['unit/text/utf8'], {
    F07: ['byte + 1', 'byte'],
  }),
  ...of('platform/rate-limit/network', ['unit/rate-limit/network'], {
    F08: ["parsed.kind() === 'ipv4'", 'false'],
  }),
  ...of('platform/redact', ['unit/log/redact'], {
    F09: ["ADDRESS.test(word) ? '[email]' : word", 'word'],
  }),
];

/** All mutants. An id does not start with B, because such a word would be read as a section of the contract. */
export const MUTANTS = [
  ...availability,
  ...bookings,
  ...http,
  ...access,
  ...webhooks,
  ...activity,
  ...operations,
  ...controlCenter,
  ...contract,
  ...platform,
];
