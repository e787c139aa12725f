import type { Member } from '@/lib/access/owners/session';
import { flushRefusedCalls, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import { listCatalog } from '@/lib/contract/operations';
import { createView } from '@/lib/control-center/views/views';
import { pool } from '@/lib/platform/db';
import { type IdPrefix, newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead, partnerOf } from '@/tests/support/bookings';
import { makePerson, openSessionOf, type Person } from '@/tests/support/control-center';
import { openPool } from '@/tests/support/database';
import {
  makeApplication,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { prepared } from '@/tests/support/prepared';
import { writeLines } from '@/tests/support/request-lines';
import { until } from '@/tests/support/until';
import { type Names, PASSWORD } from '../control-center/every-procedure-entries';
import {
  makeBlock,
  makeCalendar,
  makeFeed,
  makeHooked,
  makeReversible,
  makeTeam,
  transferOf,
} from '../control-center/every-procedure-names';
import { memberIn } from './calls';

/** The values by which a request can name a tenant's records. */
export type Values = Omit<Names, 'team' | 'webhook' | 'transfer'> & {
  memberId: string;
  invitationId: string;
  hookedId: string;
  withoutId: string;
  deliveryId: string;
  eventId: string;
  replayId: string;
  viewId: string;
  passkeyId: string;
  ownerId: string;
  sessionId: string;
  email: string;
  phone: string;
  auditId: string;
  signInId: string;
  refusedId: string;
  idempotencyKey: string;
  /** The cursor of the second page of the catalog in the partner API. */
  cursor: string;
  /** The token of the first page of the catalog. */
  token: string;
  /** The first word of all names of the tenant, and of all its external references. */
  word: string;
};

/** A tenant with a record for every value that a request can contain. */
export type World = {
  tenantId: string;
  names: Names;
  values: Values;
  member: Member;
  /** The cookie of the owner's session. */
  cookie: string;
  applicationKey: string;
};

/**
 * Creates a tenant.
 * @param word the first word of the tenant's names. The words of all tenants of a test have the same length.
 * @param phone the phone number of the tenant's customer
 */
async function makeWorld(word: string, phone: string): Promise<World> {
  const tenant = await makeTenant({ name: `${word} tenant`, showsCustomerNames: true });
  const [location, service, specialist] = await Promise.all([
    makeLocation(tenant.id, { name: { en: `${word} location` } }),
    makeService(tenant.id, { name: { en: `${word} service` } }),
    makeSpecialist(tenant.id, { displayName: `${word} specialist` }),
  ]);
  await offer(tenant.id, [specialist], [service, await makeService(tenant.id)], [location]);
  const { applicationId, keyId, key } = await makeApplication(tenant.id, { name: `${word} partner` });
  const owner = await makePerson(tenant.id, 'OWNER', `${word} owner`, PASSWORD);
  const [member, cookie] = [await memberIn(owner), await openSessionOf(owner)];
  const asked = { service_id: service.id, date: dayAhead(), start_time: '10:00', external_reference: `${word}-4711` };
  const customer = { ...CUSTOMER, name: `${word} customer`, phone };
  const idempotencyKey = `${word}-${newId('req')}`;
  const booked = await prepared(() => partnerOf(key).create({ ...asked, customer }, { key: idempotencyKey }));
  const [line] = await writeLines([
    { tenant_id: tenant.id, application_id: applicationId, key_id: keyId, status: 403, code: 'credential_restricted' },
  ]);
  const [webhook, team, transfer] = [await makeHooked(tenant.id), await makeTeam(tenant.id), await transferOf(cookie)];
  const catalog = { locationId: location.id, serviceId: service.id, specialistId: specialist.id };
  const { reference } = booked.data.booking;
  const blockId = await makeBlock(tenant.id, specialist.id);
  const undoId = await makeReversible(tenant.id, specialist.id);
  const feedId = await makeFeed(tenant.id);
  const calendarId = await makeCalendar(tenant.id, specialist.id);
  const records = { applicationId, keyId, requestId: line?.request_id ?? '', reference };
  const ids = { ...records, blockId, undoId, feedId, calendarId, ...catalog };
  const values: Values = {
    ...ids,
    memberId: team.userId,
    invitationId: team.invitationId,
    hookedId: webhook.applicationId,
    withoutId: webhook.without,
    deliveryId: webhook.deliveryId,
    eventId: webhook.deliveryId.replace('dlv_', 'evt_'),
    replayId: webhook.replayId,
    viewId: await makeView(owner),
    // The passkey of another member: with an own passkey, the owner's changes would need a proof with it.
    passkeyId: await addPasskey(team.userId),
    ownerId: owner.userId,
    sessionId: member.sessionId,
    email: owner.email,
    phone,
    auditId: await firstId('audit_log', tenant.id),
    signInId: await firstId('sign_ins', tenant.id),
    refusedId: await addRefusedCall(owner),
    idempotencyKey,
    ...(await pageOf(key)),
    word,
  };
  const names = { ...ids, team, webhook, transfer };
  return { tenantId: tenant.id, names, values, member, cookie, applicationKey: key };
}

function makeView(owner: Person): Promise<string> {
  return createView(new Date(), owner, { page: 'bookings', name: 'A view', query: { period: 'past' } });
}

/** Gives a user a passkey. */
async function addPasskey(userId: string): Promise<string> {
  const id = newId('psk');
  await pool().query(
    `INSERT INTO passkeys (id, user_id, name, credential_id, public_key, counter, transports, created_at)
     VALUES ($1, $2, 'Key', $3, '\\x01', 0, '{}', now())`,
    [id, userId, Buffer.from(id)],
  );
  return id;
}

/** Records a refused call of a member. */
async function addRefusedCall({ userId, tenantId }: Person): Promise<string> {
  recordRefusedCall(new Date(), { userId, tenantId, procedure: 'team.list', code: 'not_found' });
  await flushRefusedCalls();
  return firstId('refused_calls', tenantId);
}

/**
 * Returns the cursor of the second page of a catalog, and the token of the first one. Waits until the log entry of this
 * request and the last use of the key are stored, which happens with a delay. No row of the tenant changes afterward.
 */
async function pageOf(key: string): Promise<Pick<Values, 'cursor' | 'token'>> {
  const { data, requestId } = await partnerOf(key).client(withQuery(CATALOG, { limit: 1 }), { operation: listCatalog });
  const stored = `SELECT FROM request_log l JOIN api_keys k ON k.id = l.key_id
    WHERE l.request_id = $1 AND k.last_used_at >= l.at`;
  await until(
    () => pool().query(stored, [requestId]),
    ({ rows }) => rows.length === 1,
  );
  return { cursor: data.next_cursor ?? '', token: data.token };
}

async function firstId(table: 'audit_log' | 'sign_ins' | 'refused_calls', tenantId: string): Promise<string> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM ${table} WHERE tenant_id = $1 ORDER BY id LIMIT 1`,
    [tenantId],
  );
  return rows[0]?.id ?? '';
}

/**
 * `birch` and `beech` are tenants with the same records. `other` is a third tenant. `unknown` contains values that
 * belong to no record.
 */
export type Worlds = { birch: World; beech: World; other: World; unknown: Values };

/**
 * Creates the tenants: first `birch` and `beech`, then `other`. The values in `unknown` are created last. Ids are
 * ordered by their time of creation, so the ids of `other` and `unknown` come after all ids of `birch` and `beech`.
 */
export async function makeWorlds(): Promise<Worlds> {
  const [birch, beech] = await Promise.all([
    makeWorld('birch', '+49 30 5550 2222'),
    makeWorld('beech', '+49 30 5550 4222'),
  ]);
  const other = await makeWorld('amber', '+49 30 5550 1222');
  return { birch, beech, other, unknown: unknownLike(other.values, 'cedar', '+49 30 5550 3222') };
}

/** Returns values that have the same format as `values` but belong to no record. */
function unknownLike(values: Values, word: string, phone: string): Values {
  const fresh = Object.entries(values).map(([name, value]) => {
    const [prefix = '', body] = value.split('_');
    if (!body) return [name, value];
    if (prefix === 'pbr') return [name, `pbr_${newId('req').slice(4)}`];
    return [name, newId(prefix as IdPrefix)];
  });
  // A cursor begins with its authentication code, and a token with what is authenticated, so each is invalid with a
  // different first character.
  const changed = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  const own = {
    word,
    phone,
    cursor: changed(values.cursor),
    token: changed(values.token),
    email: `${newId('usr')}@salon.example`,
    idempotencyKey: `${word}-${newId('req')}`,
  };
  return { ...values, ...Object.fromEntries(fresh), ...own };
}

/** A request in which some values of the caller are replaced by other values. `what` names the replaced values. */
type Swap = { what: string; text: string };

/**
 * Returns variants of `request`. In each variant, one of the values that belong to the caller (`own`) is replaced. If
 * the request contains several such values, they are all replaced in one more variant.
 */
export function swapsOf(request: string, own: Values, replacements: Values): Swap[] {
  const names = (Object.keys(own) as (keyof Values)[]).filter((name) => request.includes(own[name]));
  const groups = names.length > 1 ? [...names.map((name) => [name]), names] : names.map((name) => [name]);
  return groups.map((chosen) => ({
    what: chosen.join(', '),
    text: chosen.reduce((text, name) => text.replaceAll(own[name], replacements[name]), request),
  }));
}

const ANY_ID = /(?<![0-9a-z])[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g;
/** `ANY_ID` as a regular expression of PostgreSQL. The id is the first group. */
const ANY_ID_SQL = '(?:^|[^0-9a-z])([a-z]{3}_[0-9a-hjkmnp-tv-z]{26})(?![0-9a-z_])';

/**
 * Makes two replies equal if they differ only in values of `own` and `sent`, or in generated values, such as ids or
 * times. Replaces each value of `own` and `sent` by its name, and each generated value by a fixed word.
 */
export function neutral(text: string, own: Values, sent: Values): string {
  const named = [own, sent].reduce(
    (result, values) =>
      Object.entries(values)
        .reduce((replaced, [name, value]) => replaced.replaceAll(value, `<${name}>`), result)
        // A reply can group the digits of a sent number in another way.
        .replaceAll(new RegExp(`\\+${values.phone.replaceAll(/\D/g, '').split('').join(' ?')}`, 'g'), '<phone>'),
    text,
  );
  return named
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(ANY_ID, '<id>')
    .replaceAll(/"(network|last_four|duration_ms|next_cursor|token)":("[^"]*"|[\d.]+)/g, '"$1":"…"')
    .replaceAll(/\/(?:invite|calendar)\/[\w-]{43}|\b[0-9a-f]{64}\b|\bwhsec_[\w+/=-]+|\bpbk_test_\w+/g, '<token>');
}

// Tables that are not compared, because background work can change them at any time.
const VOLATILE = ['deliveries', 'delivery_attempts', 'webhook_endpoints'];

/**
 * Returns all rows of a tenant, each after the name of its table. A row belongs to the tenant if its `tenant_id` is the
 * tenant's id. A row without a `tenant_id` belongs to the tenant if it contains the tenant's id or the id of another
 * row of the tenant. Omits rows that contain the id of a tenant in `callers`. Such a row belongs to the caller, and
 * contains an id of this tenant only because the caller sent that id.
 */
export async function rowsOf({ tenantId }: World, callers: World[]): Promise<string[]> {
  // Does not use the application's pool, whose time limit for statements is too short for reading whole tables on a
  // busy machine.
  const reader = openPool(process.env.DATABASE_URL ?? '', 1);
  try {
    const { rows: tables } = await reader.query<{ name: string; owned: boolean }>(
      `SELECT relname AS name, EXISTS (
           SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id' AND NOT attisdropped) AS owned
         FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND NOT relname = ANY ($1) ORDER BY 1`,
      [VOLATILE],
    );
    const containing = async (ids: string[]) => {
      const found = `EXISTS (SELECT FROM regexp_matches(t::text, '${ANY_ID_SQL}', 'g') AS ids WHERE ids[1] = ANY ($2))`;
      const union = tables.map(({ name, owned }) => {
        const condition = owned ? `tenant_id = $1 OR (tenant_id IS NULL AND ${found})` : found;
        // Starts and jobs of the shared server fill these columns of tenants.
        const shown = name === 'tenants' ? `(to_jsonb(t) - 'name_skeleton' - 'zone_rules')` : 't';
        return `SELECT '${name} ' || ${shown}::text AS row FROM "${name}" t WHERE ${condition}`;
      });
      const { rows } = await reader.query<{ row: string }>(`${union.join(' UNION ALL ')} ORDER BY 1`, [tenantId, ids]);
      return rows.map(({ row }) => row).filter((row) => !callers.some((caller) => row.includes(caller.tenantId)));
    };
    const own = (await containing([tenantId])).join('\n');
    return await containing([...new Set(own.match(ANY_ID))]);
  } finally {
    await reader.end();
  }
}

/**
 * Returns texts of a tenant that no other tenant may see: the ids in its rows, the first word of its names, its owner's
 * email address, and its customer's phone number.
 */
export async function marksOf(world: World): Promise<string[]> {
  const { values } = world;
  const ids = (await rowsOf(world, [])).join('\n').match(ANY_ID) ?? [];
  return [...new Set([...ids, values.word, values.email, values.phone])];
}
