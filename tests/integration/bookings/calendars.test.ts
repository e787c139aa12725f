import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attempt, pauseAfter } from '@/lib/booking/calendars/attempt';
import { fetchCalendars } from '@/lib/booking/calendars/job';
import { LEASE_DUE, type Leased } from '@/lib/booking/calendars/statements';
import { db, pool } from '@/lib/platform/db';
import { bind } from '@/lib/platform/sql';
import { createResolve } from '@/lib/webhooks/addresses';
import { createSender } from '@/lib/webhooks/send';
import { dayAhead } from '@/tests/support/bookings';
import { until } from '@/tests/support/until';
import { auditOf, done, makeCatalog } from '../control-center/catalog-records';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const on = { sender: createSender({ allowLoopback: true, resolve: createResolve() }), random: () => 0.5 };

type Feed = { text: string; etag: string | null; status: number; asked: http.IncomingHttpHeaders[]; hang: boolean };
const feeds = new Map<string, Feed>();
const server = http.createServer(({ url, headers }, response) => {
  const feed = feeds.get(url ?? '');
  if (!feed) return void response.writeHead(404).end();
  feed.asked.push(headers);
  if (feed.hang) return;
  if (feed.etag !== null && headers['if-none-match'] === feed.etag) return void response.writeHead(304).end();
  response.writeHead(feed.status, feed.etag === null ? {} : { etag: feed.etag }).end(feed.text);
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The event begins on the day of `dayAhead(days)` at a local time. */
type Entry = { days?: number; start: string; minutes?: number; title?: string; more?: string[] };
const at = ({ days = 7, start }: Entry) => `${dayAhead(days).replaceAll('-', '')}T${start.replace(':', '')}00`;
const textOf = (...entries: Entry[]) =>
  [
    'BEGIN:VCALENDAR',
    ...entries.flatMap((entry, index) => [
      ...['BEGIN:VEVENT', `UID:${index}`, `DTSTART;TZID=Europe/Berlin:${at(entry)}`],
      ...[`DURATION:PT${entry.minutes ?? 60}M`, `SUMMARY:${entry.title ?? 'Dentist'}`, ...(entry.more ?? [])],
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

function feedOf(text: string, etag: string | null = null) {
  const path = `/${randomBytes(8).toString('hex')}/basic.ics`;
  const feed: Feed = { text, etag, status: 200, asked: [], hang: false };
  feeds.set(path, feed);
  return { feed, url: origin + path };
}

type Salon = Awaited<ReturnType<typeof makeSalon>>;
const makeSalon = () => makeCatalog({ service: { durationMinutes: 60, slotIntervalMinutes: 60 } });
const CHOICES = { name: 'Private', show_titles: false, block_when_stale: false };
const subjectOf = ({ ids }: Salon) => ({ specialist_id: ids[0] ?? '', location_id: null });
const add = (salon: Salon, url: string, more: object = {}) =>
  salon.owner.mutate('calendars.add', { subject: subjectOf(salon), url, ...CHOICES, ...more });
const added = async (salon: Salon, url: string, more: object = {}) =>
  (await done<{ id: string }>(add(salon, url, more))).id;

/** Adds a calendar as soon as few enough fetches of the tenant run. */
const insisted = (salon: Salon, url: string) =>
  until(
    () => add(salon, url),
    ({ status }) => status === 200,
  );

const blocksOf = (calendarId: string) =>
  db().block.findMany({
    where: { calendarId },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
    include: { days: true },
  });
const calendarOf = (id: string) => db().calendar.findUniqueOrThrow({ where: { id } });

/** Makes only these calendars due and runs the job as of a time. */
async function runAt(ids: string | readonly string[], now: Date): Promise<void> {
  await pool().query(
    `UPDATE calendars SET leased_until = NULL,
       next_attempt_at = CASE WHEN id = ANY ($1) THEN $2::timestamptz ELSE $2::timestamptz + interval '1 minute' END
     WHERE next_attempt_at IS NOT NULL`,
    [[ids].flat(), now],
  );
  await fetchCalendars(() => now, on);
}

describe('a calendar', () => {
  test('closes its busy times until it is removed, also after an undo', async () => {
    const salon = await makeSalon();
    const all = await salon.starts();
    expect(all).toEqual(expect.arrayContaining(['11:00', '12:00', '13:00']));
    const { url } = feedOf(textOf({ start: '11:30' }, { start: '15:00', more: ['TRANSP:TRANSPARENT'] }));
    const found = await done<{ id: string; busy_times: number; first: object[] }>(add(salon, url));
    expect(found).toMatchObject({
      busy_times: 1,
      first: [{ from: `${dayAhead()}T11:30`, to: `${dayAhead()}T12:30` }],
    });
    const { id } = found;
    const open = all.filter((start) => !['11:00', '12:00'].includes(start));
    expect(await salon.starts()).toEqual(open);
    const reply = await salon.create(salon.body('12:00'));
    expect(reply).toMatchObject({ status: 409, error: { reason: 'outside_schedule' } });
    expect(reply.text).not.toMatch(/Dentist|calendar/);
    const [shown] = await done<object[]>(salon.owner.query('calendars.list', subjectOf(salon)));
    expect(shown).toMatchObject({ name: 'Private', host: new URL(url).host, busy_times: 1, problem: null });
    expect(JSON.stringify(shown)).not.toContain('basic.ics');
    expect((await done<{ blocks: object[] }>(salon.owner.query('blocks.list', subjectOf(salon)))).blocks).toEqual([]);

    await done(salon.owner.mutate('calendars.remove', { calendar_id: id }));
    expect(await salon.starts()).toEqual(all);
    await done(salon.owner.mutate('calendars.restore', { calendar_id: id }));
    expect(await salon.starts()).toEqual(open);
    expect(await auditOf(id)).toMatchObject([
      { action: 'calendar.added', after: { name: 'Private' } },
      { action: 'calendar.removed' },
      { action: 'calendar.restored' },
    ]);
    const stored = await pool().query('SELECT to_jsonb(c)::text AS row FROM calendars c WHERE id = $1', [id]);
    expect(stored.rows[0].row).not.toContain(Buffer.from('basic.ics').toString('hex'));
  });

  test('of a location closes it for everyone, and its titles are stored only while they are shown', async () => {
    const salon = await makeCatalog({ specialists: 2, service: { durationMinutes: 60, slotIntervalMinutes: 60 } });
    const { url } = feedOf(textOf({ start: '11:00', title: 'Pest\u202e control\\, floor 2' }));
    const subject = { specialist_id: null, location_id: salon.location.id };
    const { id } = await done<{ id: string }>(
      salon.owner.mutate('calendars.add', { subject, url, ...CHOICES, show_titles: true }),
    );
    expect(await salon.starts()).not.toContain('11:00');
    expect((await blocksOf(id)).map(({ reason }) => reason)).toEqual(['Pest control, floor 2']);
    await done(salon.owner.mutate('calendars.update', { calendar_id: id, ...CHOICES }));
    expect((await blocksOf(id)).map(({ reason }) => reason)).toEqual([null]);
    await done(salon.owner.mutate('calendars.update', { calendar_id: id, ...CHOICES, show_titles: true }));
    await done(salon.owner.mutate('calendars.refresh', { calendar_id: id }));
    expect((await blocksOf(id)).map(({ reason }) => reason)).toEqual(['Pest control, floor 2']);
    expect(await salon.starts()).not.toContain('11:00');
  });

  test('is refused with the reason if it cannot be read, and nothing of it remains', async () => {
    const salon = await makeSalon();
    const page = feedOf('<html>a secret page</html>');
    const gone = feedOf(textOf());
    gone.feed.status = 500;
    for (const [url, message] of [
      [page.url, /no complete calendar/],
      [gone.url, /did not respond with a calendar/],
      ['http://10.0.0.1/basic.ics', /public internet/],
      ['ftp://calendar.example/basic.ics', /must start with/],
    ] as const) {
      const reply = await add(salon, url);
      expect(reply).toMatchObject({ status: 400, error: { fields: [{ path: 'url' }] } });
      expect(JSON.stringify(reply)).toMatch(message);
      expect(JSON.stringify(reply)).not.toMatch(/secret|basic/);
    }
    expect(await db().calendar.count({ where: { tenantId: salon.tenant.id } })).toBe(0);
  });

  test('can be uploaded, and is then never fetched', async () => {
    const salon = await makeSalon();
    const packed = (text: string | Buffer) => ({
      subject: subjectOf(salon),
      ...CHOICES,
      packed: gzipSync(text).toString('base64'),
    });
    const { id } = await done<{ id: string }>(
      salon.owner.mutate('calendars.upload', packed(textOf({ start: '11:00' }))),
    );
    expect(await salon.starts()).not.toContain('11:00');
    expect(await calendarOf(id)).toMatchObject({ url: null, nextAttemptAt: null });
    await done(salon.owner.mutate('calendars.refresh', { calendar_id: id }));
    for (const text of [Buffer.alloc(50_000_000, 'x'), 'no calendar'])
      expect(await salon.owner.mutate('calendars.upload', packed(text))).toMatchObject({
        status: 400,
        error: { fields: [{ path: 'packed' }] },
      });
  });
});

describe('the job', () => {
  test('changes only what differs, and asks whether the calendar has changed', async () => {
    const salon = await makeSalon();
    const { feed, url } = feedOf(textOf({ start: '11:00' }, { start: '13:00' }), '"one"');
    const id = await added(salon, url);
    const before = await blocksOf(id);
    const now = new Date();
    await runAt(id, new Date(now.getTime() + 11 * MINUTE));
    expect(feed.asked.at(-1)).toMatchObject({ 'if-none-match': '"one"' });
    expect(await blocksOf(id)).toEqual(before);
    const { nextAttemptAt, lastSuccessAt } = await calendarOf(id);
    expect(lastSuccessAt).toEqual(new Date(now.getTime() + 11 * MINUTE));
    expect(nextAttemptAt).toEqual(new Date(now.getTime() + 21 * MINUTE));

    Object.assign(feed, { text: textOf({ start: '13:00' }, { start: '15:00' }), etag: '"two"' });
    await runAt(id, new Date(now.getTime() + 22 * MINUTE));
    const after = await blocksOf(id);
    expect(after.map((block) => block.startsAt.toISOString().slice(11, 16))).toEqual(['13:00', '15:00']);
    expect(after[0]).toEqual(before[1]);
    expect(after.every(({ days }) => days.length === 1)).toBe(true);
    expect(await salon.starts()).toContain('11:00');

    // A day later, the text is read in full, although it has not changed.
    await runAt(id, new Date(now.getTime() + 25 * HOUR));
    expect(feed.asked.at(-1)?.['if-none-match']).toBeUndefined();
    expect((await blocksOf(id)).length).toBe(2);
  });

  test('keeps the times of a calendar that fails, and closes all time after a day if the owner wants it', async () => {
    const salon = await makeSalon();
    const kept = feedOf(textOf({ start: '11:00' }));
    const closed = feedOf(textOf({ start: '11:00' }));
    const ids = [await added(salon, kept.url), await added(salon, closed.url, { block_when_stale: true })] as const;
    for (const { feed } of [kept, closed]) feed.status = 503;
    const now = Date.now();
    await runAt(ids, new Date(now + 3 * HOUR));
    for (const id of ids) {
      expect(await calendarOf(id)).toMatchObject({ failures: 1, problem: 'http_status' });
      expect(await blocksOf(id)).toHaveLength(1);
    }
    await runAt(ids, new Date(now + 25 * HOUR));
    expect(await blocksOf(ids[0])).toHaveLength(1);
    expect(new Set((await blocksOf(ids[1])).map(({ source }) => source))).toEqual(
      new Set(['calendar', 'calendar_outage']),
    );
    expect(await salon.starts()).toEqual([]);
    closed.feed.status = 200;
    await runAt(ids[1], new Date(now + 26 * HOUR));
    expect((await blocksOf(ids[1])).map(({ source }) => source)).toEqual(['calendar']);
    expect(await salon.starts()).not.toContain('11:00');
    expect(await salon.starts()).toContain('12:00');
  });

  test('waits longer with each failure, up to an hour, and as long as the server asks', () => {
    const now = new Date('2026-11-29T10:00:00Z');
    expect([1, 2, 3, 4, 40].map((failures) => pauseAfter(now, failures, null) / MINUTE)).toEqual([10, 20, 40, 60, 60]);
    expect(pauseAfter(now, 1, '7200') / HOUR).toBe(2);
    expect(pauseAfter(now, 1, 'Sun, 29 Nov 2026 13:00:00 GMT') / HOUR).toBe(3);
    expect(pauseAfter(now, 1, '999999999') / HOUR).toBe(24);
    for (const text of ['', 'soon', '-1', '1e9']) expect(pauseAfter(now, 1, text) / MINUTE).toBe(10);
  });

  test('of two processes and after a kill doubles nothing, and drops results that came too late', async () => {
    const salon = await makeSalon();
    const hours = ['09:00', '11:00', '13:00', '15:00'];
    const { feed, url } = feedOf(textOf({ start: '09:00' }));
    const id = await added(salon, url);
    feed.text = textOf(...hours.map((start) => ({ start })));
    const now = new Date(Date.now() + HOUR);
    // A process leases the calendar and dies. Another one leases it when the lease has ended.
    await pool().query(
      `UPDATE calendars SET next_attempt_at = CASE WHEN id = $1 THEN $2::timestamptz ELSE $2::timestamptz + interval '1 hour' END
       WHERE next_attempt_at IS NOT NULL`,
      [id, now],
    );
    const lease = async (when: Date) => {
      const leasedUntil = new Date(when.getTime() + MINUTE);
      return (await pool().query<Leased>(bind(LEASE_DUE, { now: when, leasedUntil }))).rows;
    };
    const [dead] = await lease(now);
    expect(dead?.id).toBe(id);
    expect(await lease(now)).toEqual([]);
    const later = new Date(now.getTime() + 2 * MINUTE);
    await Promise.all([fetchCalendars(() => later, on), fetchCalendars(() => later, on)]);
    const after = await blocksOf(id);
    expect(after).toHaveLength(hours.length);
    // The dead process was only slow: what it found does not count anymore.
    feed.text = textOf();
    if (dead) expect(await attempt(later, dead, on)).toBe(false);
    expect(await blocksOf(id)).toEqual(after);
  });

  test('lets slow calendars of one tenant delay no other', async () => {
    const [slow, other] = [await makeSalon(), await makeSalon()];
    const hanging = Array.from({ length: 4 }, () => feedOf(textOf()));
    await Promise.all(hanging.map(({ url }) => insisted(slow, url)));
    for (const { feed } of hanging) feed.hang = true;
    const { feed, url } = feedOf(textOf({ start: '11:00' }));
    const id = await added(other, url);
    feed.text = textOf({ start: '12:00' });
    const now = new Date(Date.now() + HOUR);
    // Those of the slow tenant are due longer.
    await pool().query('UPDATE calendars SET next_attempt_at = $2 WHERE tenant_id = $1', [
      slow.tenant.id,
      new Date(now.getTime() - MINUTE),
    ]);
    await pool().query('UPDATE calendars SET next_attempt_at = $2 WHERE id = $1', [id, now]);
    const stopping = new AbortController();
    const run = fetchCalendars(() => now, on, stopping.signal);
    await expect.poll(() => calendarOf(id).then((row) => row.lastSuccessAt)).toEqual(now);
    expect(hanging.filter((one) => one.feed.asked.length > 1).length).toBeLessThanOrEqual(2);
    stopping.abort();
    server.closeAllConnections();
    await run;
  });

  test('splits times longer than a block, and tells owners about bookings at busy times', async () => {
    const salon = await makeCatalog({
      service: { durationMinutes: 60, slotIntervalMinutes: 60, maxAdvanceDays: 700 },
    });
    const booking = await salon.book('10:00');
    const { url } = feedOf(textOf({ start: '10:30', minutes: 600 * 1_440 }));
    const id = await added(salon, url);
    expect((await blocksOf(id)).map(({ startsAt, endsAt }) => (endsAt.getTime() - startsAt.getTime()) / HOUR)).toEqual([
      366 * 24,
      expect.any(Number),
    ]);
    const attention = await done<object>(salon.owner.query('overview.attention'));
    expect(attention).toMatchObject({
      busy_conflicts: [{ reference: booking.reference, start_time: '10:00', calendar: 'Private' }],
      busy_conflict_total: 1,
      unreadable_calendars: [],
    });
    expect((await salon.read(booking.reference)).data).toMatchObject({ booking: { status: 'confirmed', version: 1 } });
    await pool().query(
      `UPDATE calendars SET failures = 3, problem = 'timeout', last_success_at = now() - interval '3 hours' WHERE id = $1`,
      [id],
    );
    expect(await done<object>(salon.owner.query('overview.attention'))).toMatchObject({
      unreadable_calendars: [{ id, name: 'Private', specialist_id: salon.ids[0] }],
    });
  });
});
