import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { open, placeIn } from '@/lib/platform/secrets';
import { bind } from '@/lib/platform/sql';
import { DAY, formatDay, parseDay, storedZone } from '@/lib/platform/time-zones';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import type { Sender } from '@/lib/webhooks/send';
import { insertDays, localText, partsOf } from '../blocks/days';
import { fetchCalendar, type Validators } from './fetch';
import { type BusyTime, type BusyTimes, type Reading, readCalendar } from './read';
import { UnreadableCalendar } from './scan';
import {
  DELETE_BLOCKS,
  EXISTING,
  FAILED,
  INSERT_BLOCKS,
  type Leased,
  LOCK_ATTEMPT,
  READ,
  READING,
  SUCCEEDED,
} from './statements';

const MINUTE = 60_000;
/** Milliseconds between two attempts after a success. */
const INTERVAL = 10 * MINUTE;
/** Milliseconds, at most, of a random part, so that calendars that were added together spread. */
const JITTER = MINUTE;
/** Milliseconds, at most, between two attempts of a calendar that fails. */
const MAX_PAUSE = 60 * MINUTE;
/** Milliseconds for which a server may ask for a longer pause. */
const MAX_RETRY_AFTER = 24 * 60 * MINUTE;
/** Milliseconds without a success after which a calendar counts as stale, and after which it is read in full again. */
const STALE_AFTER = 24 * 60 * MINUTE;
/** Days that are read at least and at most, however far ahead can be booked. */
const MIN_DAYS = 90;
const MAX_DAYS = 731;

/** What an attempt depends on. */
export type Attempting = { sender: Sender; random: () => number };

/** What a calendar's text said, for the days `reading`. */
export type Found = { times: BusyTimes; reading: Reading; validators: Validators };

/** The result of fetching and reading. `problem` is a code. */
type Outcome =
  | ({ kind: 'read' } & Found)
  | { kind: 'unchanged' }
  | { kind: 'failed'; problem: string; retryAfter: string | null };

/** The days and time zones for which a calendar is read. `uploaded`: it cannot be read again later. */
export async function readingOf(
  now: Date,
  {
    tenantId,
    subjectId,
    titles,
    uploaded,
  }: { tenantId: string; subjectId: string; titles: boolean; uploaded?: boolean },
): Promise<Reading> {
  const { rows } = await pool().query<{ zones: string[]; days: number }>(bind(READING, { tenantId, subjectId }));
  const [{ zones, days } = { zones: ['Etc/UTC'], days: 0 }] = rows;
  const today = Math.floor(now.getTime() / MINUTE / DAY);
  const ahead = uploaded ? MAX_DAYS : Math.min(MAX_DAYS, Math.max(MIN_DAYS, days));
  return { from: today - 1, to: today + ahead + 1, zones: zones.map(storedZone), titles };
}

/** Reads a calendar's text. Never throws for a text that is no calendar. */
export async function outcomeOf(text: string, reading: Reading, validators: Validators): Promise<Outcome> {
  try {
    return { kind: 'read', times: await readCalendar(text, reading), reading, validators };
  } catch (error) {
    if (error instanceof UnreadableCalendar) return { kind: 'failed', problem: error.problem, retryAfter: null };
    // A text of a stranger found a fault of the reader. Its calendar must still wait like others that fail.
    log().error({ err: error }, 'a calendar could not be read');
    return { kind: 'failed', problem: 'failed', retryAfter: null };
  }
}

/** Fetches and reads a calendar. */
export async function fetchOutcome(
  sender: Sender,
  url: string,
  validators: Validators,
  reading: Reading,
): Promise<Outcome> {
  const fetched = await fetchCalendar(sender, { url, validators });
  if (fetched.kind === 'calendar') return outcomeOf(fetched.text, reading, fetched.validators);
  if (fetched.kind === 'unchanged') return fetched;
  return { kind: 'failed', problem: fetched.error, retryAfter: fetched.retryAfter };
}

/**
 * Runs one attempt of a leased calendar, and records its result in one transaction. Changes nothing if the calendar was
 * changed or leased again meanwhile. Returns whether the result counts.
 */
export async function attempt(now: Date, calendar: Leased, { sender, random }: Attempting): Promise<boolean> {
  const { tenantId, subjectId, showTitles: titles } = calendar;
  const reading = await readingOf(now, { tenantId, subjectId, titles });
  const url = urlOf(calendar);
  const outcome: Outcome =
    url === null
      ? { kind: 'failed', problem: 'unreadable_url', retryAfter: null }
      : await fetchOutcome(sender, url, validatorsOf(now, calendar, reading), reading);
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const [locked] = await tx.query(LOCK_ATTEMPT, calendar);
    if (!locked) return false;
    await record(tx, now, { calendar, reading, outcome, random });
    return true;
  });
}

/** Returns the calendar's URL, or null if this process lacks the secret with which it was sealed. */
function urlOf({ id, url }: Leased): string | null {
  try {
    return open(url, placeIn('calendars.url', id));
  } catch {
    return null;
  }
}

/**
 * Returns what a server can compare. The text is fetched again in any case once a day, because its days move on, and if
 * it was read for other days or time zones.
 */
function validatorsOf(now: Date, calendar: Leased, { to, zones }: Reading): Validators {
  const { etag, lastModified, readAt, readUntil, readZones } = calendar;
  const isFresh = readAt !== null && now.getTime() - readAt.getTime() < STALE_AFTER;
  const covers = readUntil !== null && parseDay(readUntil) >= to - 2;
  const isSame = zones.map(({ name }) => name).join() === readZones.join();
  return isFresh && covers && isSame ? { etag, lastModified } : { etag: null, lastModified: null };
}

type Recorded = { calendar: Leased; reading: Reading; outcome: Outcome; random: () => number };

async function record(tx: WriteTx, now: Date, { calendar, reading, outcome, random }: Recorded): Promise<void> {
  const { tenantId, id } = calendar;
  const at = now.getTime();
  if (outcome.kind === 'failed') {
    await replaceBlocks(tx, now, calendar, 'calendar_outage', outageOf(now, calendar, reading), reading.from);
    const pause = pauseAfter(now, calendar.failures + 1, outcome.retryAfter);
    const nextAt = new Date(at + pause + random() * JITTER);
    await tx.query(FAILED, { tenantId, id, problem: outcome.problem, nextAt });
    return;
  }
  await replaceBlocks(tx, now, calendar, 'calendar_outage', [], reading.from);
  if (outcome.kind === 'read') await recordRead(tx, now, calendar, outcome);
  await tx.query(SUCCEEDED, { tenantId, id, now, nextAt: new Date(at + INTERVAL + (random() - 0.5) * JITTER) });
}

/** Records what a calendar's text said. The caller has locked the calendar. */
export async function recordRead(
  tx: WriteTx,
  now: Date,
  calendar: Parameters<typeof replaceBlocks>[2],
  { times, reading, validators }: Found,
): Promise<void> {
  const { tenantId, id } = calendar;
  await replaceBlocks(tx, now, calendar, 'calendar', times.busy, reading.from);
  await tx.query(READ, {
    ...{ tenantId, id, now, ...validators },
    readUntil: formatDay(reading.to),
    zones: reading.zones.map(({ name }) => name),
    busyTimes: times.busy.length,
    unread: times.unread,
  });
}

/** Returns all days that are read, if the owner lets all time count as busy while the calendar is stale. */
function outageOf(now: Date, { blockWhenStale, lastSuccessAt, createdAt }: Leased, { from, to }: Reading) {
  const isStale = now.getTime() - (lastSuccessAt ?? createdAt).getTime() >= STALE_AFTER;
  return blockWhenStale && isStale ? [{ from: from * DAY, to: (to + 1) * DAY, title: null }] : [];
}

/** Returns the milliseconds until the next attempt after `failures` failures in a row. */
export function pauseAfter(now: Date, failures: number, retryAfter: string | null): number {
  const pause = Math.min(MAX_PAUSE, INTERVAL * 2 ** Math.min(failures - 1, 10));
  const text = retryAfter?.trim() ?? '';
  const asked = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isFinite(asked) ? Math.max(pause, Math.min(asked, MAX_RETRY_AFTER)) : pause;
}

/** Maximum minutes of a block (constraint `blocks_range`). */
const MAX_BLOCK = 366 * DAY;

/** The calendar whose blocks are replaced, and its specialist or location. */
type Owner = {
  id: string;
  tenantId: string;
  subjectId: string;
  specialistId: string | null;
  locationId: string | null;
};

type Source = 'calendar' | 'calendar_outage';

const piecesOf = ({ from, to, title }: BusyTime): BusyTime[] => {
  const pieces: BusyTime[] = [];
  for (let at = from; at < to; at += MAX_BLOCK) pieces.push({ from: at, to: Math.min(to, at + MAX_BLOCK), title });
  return pieces;
};

/**
 * Makes the blocks of a calendar equal to its busy times from the day `since` on, and changes only those that differ.
 * Blocks before that day stay, as history. The caller has locked the calendar, so no two transactions add the same.
 */
async function replaceBlocks(
  tx: WriteTx,
  now: Date,
  { id, tenantId, ...subject }: Owner,
  source: Source,
  busy: readonly BusyTime[],
  since: number,
): Promise<void> {
  const existing = await tx.query(EXISTING, { tenantId, id, source, since: localText(since * DAY) });
  const keyOf = (from: string, to: string, reason: string | null) => `${from} ${to} ${reason ?? ''}`;
  const wanted = new Map(
    busy.flatMap(piecesOf).map(({ from, to, title }) => {
      const [start, end] = [localText(from), localText(to)];
      return [keyOf(start, end, title), { from: start, to: end, title }];
    }),
  );
  const removed: string[] = [];
  for (const block of existing) if (!wanted.delete(keyOf(block.from, block.to, block.reason))) removed.push(block.id);
  if (removed.length > 0) await tx.query(DELETE_BLOCKS, { tenantId, ids: removed });
  const added = [...wanted.values()].map((time) => {
    return { ...time, id: newId('blk'), parts: partsOf({ ...time, repeat: null }) };
  });
  if (added.length === 0) return;
  await tx.query(INSERT_BLOCKS, {
    ...subject,
    ...{ tenantId, calendarId: id, source, now },
    ids: added.map((block) => block.id),
    from: added.map(({ from }) => from),
    to: added.map(({ to }) => to),
    lastDays: added.map(({ parts }) => formatDay(parts.at(-1)?.day ?? 0)),
    reasons: added.map(({ title }) => title ?? ''),
  });
  await insertDays(tx, { tenantId, subjectId: subject.subjectId }, added);
}
