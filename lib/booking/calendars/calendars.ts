import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { open, placeIn, seal } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { bind, nullable, param, sql, statement } from '@/lib/platform/sql';
import { DAY, formatDay } from '@/lib/platform/time-zones';
import { createTurns } from '@/lib/platform/turns';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import type { Sender } from '@/lib/webhooks/send';
import { checkUrl } from '@/lib/webhooks/url';
import { insertDays, localText, partsOf } from '../blocks/days';
import { type Attempting, attempt, type Found, fetchOutcome, outcomeOf, readingOf, recordRead } from './attempt';
import { LEASE } from './job';
import { LEASE_ONE, type Leased } from './statements';

/** Maximum number of calendars of one specialist or location, and of a tenant. Concurrent additions can exceed them by a few. */
const MAX_OF_SUBJECT = 20;
const MAX_OF_TENANT = 200;
/** Milliseconds after an attempt in which an owner causes no further one. */
const REFRESH_AFTER = 10_000;
/** Maximum number of fetches for owners that run at the same time in this process, and of one tenant. */
const MAX_FETCHES = 8;
const MAX_OF_OWNERS = 2;
const SHOWN = 3;

type By = { tenantId: string; actor: Actor };

/** The specialist or the location whose calendar it is. Exactly one is given. */
export type Subject = { specialistId: string | null; locationId: string | null };

/** What an owner chooses. */
export type Choices = { name: string; show_titles: boolean; block_when_stale: boolean };

/** A calendar as pages show it. `host` is null for an uploaded file. The rest of the URL is secret. */
export type CalendarRecord = Choices & {
  id: string;
  host: string | null;
  problem: string | null;
  busy_times: number;
  unread_entries: number;
  read_until: string | null;
  last_success_at: Date | null;
  last_attempt_at: Date | null;
};

type Row = Omit<CalendarRecord, 'host'> & { url: Buffer | null };

const COLUMNS = sql`c.id, c.name, c.url, c.show_titles, c.block_when_stale, c.problem, c.busy_times, c.unread_entries,
  to_char(c.read_until, 'YYYY-MM-DD') AS read_until, c.last_success_at, c.last_attempt_at`;

const LIST = statement<Row>('calendars-list')`
  SELECT ${COLUMNS} FROM calendars c
  WHERE c.tenant_id = ${param.text('tenantId')} AND c.removed_at IS NULL
    AND (c.specialist_id = ${nullable(param.text('specialistId'))} OR c.location_id = ${nullable(param.text('locationId'))})
  ORDER BY c.created_at, c.id LIMIT ${MAX_OF_TENANT}`;

/** Returns the calendars of a specialist or a location, without their URLs. */
export async function listCalendars(tenantId: string, subject: Subject): Promise<CalendarRecord[]> {
  const { rows } = await pool().query<Row>(bind(LIST, { tenantId, ...subject }));
  return rows.map(({ url, ...record }) => ({ ...record, host: url && hostOf(record.id, url) }));
}

/** Of a URL that this process cannot decrypt, the host is empty. */
function hostOf(id: string, url: Buffer): string {
  try {
    return new URL(open(url, placeIn('calendars.url', id))).host;
  } catch {
    return '';
  }
}

/** A calendar that was added: how many busy times it has, the first of them, and until when it was read. */
export type Added = {
  id: string;
  busy_times: number;
  unread_entries: number;
  read_until: string;
  first: { from: string; to: string }[];
};

const turns = () => singleton('calendar-fetches', () => createTurns(MAX_FETCHES, MAX_OF_OWNERS));
const waiting = () => singleton('calendar-fetches-waiting', () => new Map<string, number>());

async function inTurn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  const count = waiting().get(tenantId) ?? 0;
  if (count >= MAX_OF_OWNERS * 2) throw new AppError('service_unavailable', { retryAfter: 10 });
  waiting().set(tenantId, count + 1);
  const end = await turns().take(tenantId);
  try {
    return await work();
  } finally {
    end();
    const left = (waiting().get(tenantId) ?? 1) - 1;
    if (left > 0) waiting().set(tenantId, left);
    else waiting().delete(tenantId);
  }
}

/**
 * Adds the calendar at a URL, after fetching it once.
 * @throws AppError not_found if the specialist or the location does not exist; invalid_request, which names the field, if
 *   the calendar cannot be read, or if there are too many; service_unavailable if too many fetches are running.
 */
export async function addCalendar(
  now: Date,
  by: By,
  { subject, url: given, choices, sender }: { subject: Subject; url: string; choices: Choices; sender: Sender },
): Promise<Added> {
  const { tenantId } = by;
  const subjectId = await checkSubject(tenantId, subject);
  // Most calendar programs show addresses that begin with webcal, which stands for https.
  const url = await checkUrl(given.trim().replace(/^webcals?:\/\//i, 'https://'), sender);
  const reading = await readingOf(now, { tenantId, subjectId, titles: choices.show_titles });
  const outcome = await inTurn(tenantId, () => fetchOutcome(sender, url, { etag: null, lastModified: null }, reading));
  if (outcome.kind !== 'read')
    throw invalidField('url', problemText(outcome.kind === 'failed' ? outcome.problem : 'not_calendar'));
  return insert(now, by, { subject, subjectId, choices, url, found: outcome });
}

/** Adds a calendar from the text of an `.ics` file. It is never read again. @throws AppError like `addCalendar`. */
export async function uploadCalendar(
  now: Date,
  by: By,
  { subject, text, choices }: { subject: Subject; text: string; choices: Choices },
): Promise<Added> {
  const { tenantId } = by;
  const subjectId = await checkSubject(tenantId, subject);
  const reading = await readingOf(now, { tenantId, subjectId, titles: choices.show_titles, uploaded: true });
  const outcome = await inTurn(tenantId, () => outcomeOf(text, reading, { etag: null, lastModified: null }));
  if (outcome.kind !== 'read')
    throw invalidField('packed', problemText(outcome.kind === 'failed' ? outcome.problem : 'not_calendar'));
  return insert(now, by, { subject, subjectId, choices, url: null, found: outcome });
}

const PROBLEMS: Record<string, string> = {
  not_calendar: 'is no complete calendar in the iCalendar format (.ics)',
  too_large: 'is larger than 5 MB',
  too_complex: 'has too many entries, or repeats that take too long to compute',
  too_many: 'has more than 5,000 busy times',
  unsupported_rule: 'has an entry that repeats in a way that is not supported, such as every second',
  timeout: 'did not respond within 10 seconds',
  http_status: 'did not respond with a calendar. Check whether the address is still valid',
  refused_address: 'leads to an address that is not on the public internet',
  redirect: 'redirects too often',
  name_not_found: 'has a host that does not exist',
  tls: 'has no valid certificate',
};

/** Returns why a calendar cannot be read, as the end of a sentence. */
const problemText = (code: string): string => PROBLEMS[code] ?? 'cannot be reached';

const FIND_SUBJECT = statement<{ id: string; ofSubject: number; ofTenant: number }>('calendar-subject')`
  SELECT s.id, (SELECT count(*)::int FROM calendars c WHERE c.tenant_id = ${param.text('tenantId')} AND c.subject_id = s.id
      AND c.removed_at IS NULL) AS "ofSubject",
    (SELECT count(*)::int FROM calendars c WHERE c.tenant_id = ${param.text('tenantId')} AND c.removed_at IS NULL) AS "ofTenant"
  FROM (SELECT id FROM specialists WHERE tenant_id = ${param.text('tenantId')} AND id = ${nullable(param.text('specialistId'))}
    UNION ALL SELECT id FROM locations WHERE tenant_id = ${param.text('tenantId')} AND id = ${nullable(param.text('locationId'))}) s`;

async function checkSubject(tenantId: string, subject: Subject): Promise<string> {
  const { rows } = await pool().query<{ id: string; ofSubject: number; ofTenant: number }>(
    bind(FIND_SUBJECT, { tenantId, ...subject }),
  );
  const [found] = rows;
  if (!found) throw notFound();
  if (found.ofSubject >= MAX_OF_SUBJECT) throw invalidField('*', `there can be at most ${MAX_OF_SUBJECT} calendars`);
  if (found.ofTenant >= MAX_OF_TENANT)
    throw invalidField('*', `a business can have at most ${MAX_OF_TENANT} calendars`);
  return found.id;
}

const INSERT = statement<never>('calendar-insert')`
  INSERT INTO calendars (id, tenant_id, subject_id, specialist_id, location_id, name, url, show_titles, block_when_stale,
    created_at, last_success_at, last_attempt_at, next_attempt_at)
  VALUES (${param.text('id')}, ${param.text('tenantId')}, ${param.text('subjectId')}, ${nullable(param.text('specialistId'))},
    ${nullable(param.text('locationId'))}, ${param.text('name')}, ${nullable(param.bytea('sealed'))},
    ${param.boolean('showTitles')}, ${param.boolean('blockWhenStale')},
    ${param.timestamptz('now')}, ${param.timestamptz('now')}, ${param.timestamptz('now')}, ${nullable(param.timestamptz('nextAt'))})`;

type Inserted = { subject: Subject; subjectId: string; choices: Choices; url: string | null; found: Found };

async function insert(now: Date, by: By, { subject, subjectId, choices, url, found }: Inserted): Promise<Added> {
  const { tenantId } = by;
  const id = newId('cld');
  const nextAt = url === null ? null : new Date(now.getTime() + 600_000);
  const sealed = url === null ? null : seal(url, placeIn('calendars.url', id));
  const { name, show_titles, block_when_stale } = choices;
  const flags = { showTitles: show_titles, blockWhenStale: block_when_stale };
  await writeTransaction(beginBudget(), tenantId, async (tx) => {
    await tx.query(INSERT, { id, tenantId, subjectId, ...subject, name, sealed, ...flags, now, nextAt });
    await recordRead(tx, now, { id, tenantId, subjectId, ...subject }, found);
    await record(tx, now, by, 'calendar.added', id, {
      after: { ...audited(subject, choices), uploaded: url === null },
    });
  });
  const { busy, unread } = found.times;
  const today = now.getTime() / 60_000;
  const first = busy.filter(({ to }) => to > today - DAY).slice(0, SHOWN);
  return {
    id,
    busy_times: busy.length,
    unread_entries: unread,
    read_until: formatDay(found.reading.to),
    first: first.map(({ from, to }) => ({ from: localText(from), to: localText(to) })),
  };
}

const LOCK = statement<Subject & Choices & { subjectId: string; removed: boolean; uploaded: boolean }>(
  'calendar-lock-one',
)`
  SELECT specialist_id AS "specialistId", location_id AS "locationId", subject_id AS "subjectId", name, show_titles,
    block_when_stale, removed_at IS NOT NULL AS removed, url IS NULL AS uploaded
  FROM calendars WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')} FOR UPDATE`;

const UPDATE = statement<never>('calendar-update')`
  UPDATE calendars SET name = ${param.text('name')}, show_titles = ${param.boolean('showTitles')},
    block_when_stale = ${param.boolean('blockWhenStale')}
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

// The next attempt reads the text in full, as soon as possible. A running one does not count.
const READ_AGAIN = statement<never>('calendar-read-again')`
  UPDATE calendars SET generation = generation + 1, leased_until = NULL, read_at = NULL, last_attempt_at = NULL,
    next_attempt_at = CASE WHEN url IS NOT NULL THEN ${param.timestamptz('now')} END
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

const FORGET_TITLES = statement<never>('calendar-forget-titles')`
  UPDATE blocks SET reason = NULL WHERE tenant_id = ${param.text('tenantId')} AND calendar_id = ${param.text('id')} AND reason IS NOT NULL`;

const END_OUTAGE = statement<never>('calendar-end-outage')`
  DELETE FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND calendar_id = ${param.text('id')} AND source = 'calendar_outage'`;

/**
 * Changes what an owner chose for a calendar. Titles that are no longer shown are deleted at once; those that are to be
 * shown come with the next fetch.
 * @throws AppError not_found; invalid_request for titles of an uploaded file, which was read without them.
 */
export async function updateCalendar(now: Date, by: By, id: string, choices: Choices): Promise<void> {
  const { tenantId } = by;
  await writeTransaction(beginBudget(), tenantId, async (tx) => {
    const { subject, row } = await lock(tx, tenantId, id);
    const { name, show_titles, block_when_stale } = choices;
    if (show_titles && !row.show_titles && row.uploaded)
      throw invalidField('show_titles', 'needs the file again: upload it with titles');
    const flags = { showTitles: show_titles, blockWhenStale: block_when_stale };
    await tx.query(UPDATE, { tenantId, id, name, ...flags });
    if (!show_titles && row.show_titles) await tx.query(FORGET_TITLES, { tenantId, id });
    if (!block_when_stale) await tx.query(END_OUTAGE, { tenantId, id });
    if (show_titles !== row.show_titles) await tx.query(READ_AGAIN, { tenantId, id, now });
    const states = { before: audited(subject, row), after: audited(subject, choices) };
    await record(tx, now, by, 'calendar.updated', id, states);
  });
}

/**
 * Fetches a calendar now, unless an attempt is running or has just been made.
 * @throws AppError not_found; service_unavailable if too many fetches are running.
 */
export async function refreshCalendar(now: Date, tenantId: string, id: string, on: Attempting): Promise<void> {
  await inTurn(tenantId, async () => {
    const [leasedUntil, before] = [new Date(now.getTime() + LEASE), new Date(now.getTime() - REFRESH_AFTER)];
    const { rows } = await pool().query<Leased>(bind(LEASE_ONE, { tenantId, id, now, leasedUntil, before }));
    const [calendar] = rows;
    if (calendar) await attempt(now, calendar, on);
    else await writeTransaction(beginBudget(), tenantId, (tx) => lock(tx, tenantId, id));
  });
}

const REMOVE = statement<never>('calendar-remove')`
  UPDATE calendars SET removed_at = ${param.timestamptz('now')}, next_attempt_at = NULL, leased_until = NULL,
    generation = generation + 1
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

const DELETE_DAYS = statement<never>('calendar-days-delete')`
  DELETE FROM block_days d USING blocks k
  WHERE k.tenant_id = ${param.text('tenantId')} AND k.calendar_id = ${param.text('id')}
    AND d.tenant_id = k.tenant_id AND d.subject_id = k.subject_id AND d.block_id = k.id`;

/** Removes a calendar, so that its times are free again. `restoreCalendar` undoes this for a day. @throws AppError not_found. */
export async function removeCalendar(now: Date, by: By, id: string): Promise<void> {
  const { tenantId } = by;
  await writeTransaction(beginBudget(), tenantId, async (tx) => {
    const { subject, row } = await lock(tx, tenantId, id);
    // The blocks stay without their days, which alone make time busy, so that an uploaded file can be restored, too.
    await tx.query(DELETE_DAYS, { tenantId, id });
    await tx.query(REMOVE, { tenantId, id, now });
    await record(tx, now, by, 'calendar.removed', id, { before: audited(subject, row) });
  });
}

const RESTORE = statement<never>('calendar-restore')`
  UPDATE calendars SET removed_at = NULL, generation = generation + 1, last_attempt_at = NULL,
    next_attempt_at = CASE WHEN url IS NOT NULL THEN ${param.timestamptz('now')} END
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

const OF_CALENDAR = statement<{ id: string; from: string; to: string }>('calendar-all-blocks')`
  SELECT id, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI') AS from, to_char(ends_at, 'YYYY-MM-DD"T"HH24:MI') AS to
  FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND calendar_id = ${param.text('id')}`;

/** Restores a calendar with its times, and fetches it soon. @throws AppError not_found if it is not removed, or for too long. */
export async function restoreCalendar(now: Date, by: By, id: string): Promise<void> {
  const { tenantId } = by;
  await writeTransaction(beginBudget(), tenantId, async (tx) => {
    const { subject, row } = await lock(tx, tenantId, id, true);
    await tx.query(RESTORE, { tenantId, id, now });
    const blocks = await tx.query(OF_CALENDAR, { tenantId, id });
    const added = blocks.map(({ id: blockId, ...times }) => ({
      id: blockId,
      parts: partsOf({ ...times, repeat: null }),
    }));
    await insertDays(tx, { tenantId, subjectId: row.subjectId }, added);
    await record(tx, now, by, 'calendar.restored', id, { after: audited(subject, row) });
  });
}

async function lock(tx: WriteTx, tenantId: string, id: string, removed = false) {
  const [row] = await tx.query(LOCK, { tenantId, id });
  if (!row || row.removed !== removed) throw notFound();
  return { row, subject: { specialistId: row.specialistId, locationId: row.locationId } };
}

function audited({ specialistId, locationId }: Subject, { name, show_titles, block_when_stale }: Choices) {
  return { specialist_id: specialistId, location_id: locationId, name, show_titles, block_when_stale };
}

type State = ReturnType<typeof audited> & { uploaded?: boolean };

function record(
  tx: WriteTx,
  now: Date,
  by: By,
  action: string,
  id: string,
  states: { before?: State; after?: State },
): Promise<void> {
  return recordInWrite(tx, now, { ...by, action, object: { kind: 'calendar', id }, ...states });
}
