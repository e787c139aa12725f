import ICAL from 'ical.js';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBlock, deleteBlock, updateBlock } from '@/lib/booking/blocks/change';
import { createFeed, listFeeds, replaceFeed, revokeFeed } from '@/lib/booking/calendar-feeds/feeds';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeLocation, offer } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

const SYSTEM = { kind: 'system' } as const;

/** Reads the URL of a feed like a calendar program, from the origin of the server. */
async function read(url: string, headers: Record<string, string> = {}, address = freshAddress(), method = 'GET') {
  const target = `http://127.0.0.1:${new URL(origin).port}${new URL(url).pathname}`;
  const dispatcher = new Agent({ localAddress: address });
  const response = await request(target, { headers, dispatcher, method: method as 'GET' });
  const text = await response.body.text();
  await dispatcher.close();
  return { status: response.statusCode, headers: response.headers, text };
}

type Event = Record<'uid' | 'sequence' | 'status' | 'summary' | 'location' | 'description' | 'start', unknown>;

/** Parses a document strictly. */
function eventsIn(text: string): Event[] {
  const root = new ICAL.Component(ICAL.parse(text));
  expect(root.getFirstPropertyValue('version')).toBe('2.0');
  const zones = root.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'));
  return root.getAllSubcomponents('vevent').map((event) => {
    const value = (name: string) => event.getFirstPropertyValue(name);
    const start = event.getFirstProperty('dtstart');
    const zone = start?.getParameter('tzid');
    if (zone) expect(zones).toContain(zone);
    return {
      uid: value('uid'),
      sequence: value('sequence'),
      status: value('status'),
      summary: value('summary'),
      location: value('location'),
      description: value('description'),
      start: `${zone ?? ''} ${start?.getFirstValue()}`,
    };
  });
}

const feedOf = async (desk: Pick<Desk, 'tenant'>, subject: Parameters<typeof createFeed>[2]) =>
  createFeed(new Date(), { tenantId: desk.tenant.id, actor: SYSTEM }, subject);

describe('a booking in a feed', () => {
  let desk: Desk;
  let reference: string;
  let url: string;

  beforeAll(async () => {
    desk = await makeDesk();
    reference = (await desk.create(desk.body())).data.booking.reference;
    ({ url } = await feedOf(desk, { kind: 'business' }));
  });

  test('has the service, the reference, and the local time, but no name of a customer', async () => {
    const { status, headers, text } = await read(url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    });
    const { date } = desk.body();
    expect(eventsIn(text)).toEqual([
      {
        uid: reference,
        sequence: 1,
        status: 'CONFIRMED',
        summary: 'Haircut – Alex Example',
        location: 'Studio, 1 Example Street, 10115 Berlin',
        description: `Reference: ${reference}\nService: Haircut\nSpecialist: Alex Example\nLocation: Studio`,
        start: `Europe/Berlin ${date}T10:00:00`,
      },
    ]);
    for (const secret of ['Robin', 'Sample', '5550', 'order-4711']) expect(text).not.toContain(secret);
  });

  test('is not sent again until it changes', async () => {
    const { headers, text } = await read(url);
    const etag = String(headers.etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await read(url, { 'if-none-match': known });
      expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await read(url, { 'if-none-match': '"other"' })).text).toBe(text);
    expect(await read(url, {}, freshAddress(), 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  test('keeps its UID and raises its SEQUENCE when it is rescheduled and canceled', async () => {
    const before = (await read(url)).headers.etag;
    const { date } = desk.body();
    await desk.reschedule(reference, { expected_version: 1, date, start_time: '11:00' });
    const moved = await read(url, { 'if-none-match': String(before) });
    const start = `Europe/Berlin ${date}T11:00:00`;
    expect(eventsIn(moved.text)).toMatchObject([{ uid: reference, sequence: 2, status: 'CONFIRMED', start }]);
    await desk.cancel(reference, { expected_version: 2 });
    const gone = await read(url);
    expect(eventsIn(gone.text)).toMatchObject([{ uid: reference, sequence: 3, status: 'CANCELLED', start }]);
    expect(gone.text).toContain('TRANSP:TRANSPARENT');
    await pool().query(
      `UPDATE bookings SET cancelled_at = cancelled_at - interval '31 days', created_at = created_at - interval '40 days'
       WHERE reference = $1`,
      [reference],
    );
    expect(eventsIn((await read(url)).text)).toEqual([]);
  });
});

test('a feed has only the bookings of its specialist, location, and tenant', async () => {
  const [desk, other] = await Promise.all([makeDesk({ specialists: 2 }), makeDesk()]);
  const [first, second] = desk.specialists;
  const made = await desk.create(desk.body('10:00', { specialist_id: first?.id }));
  await desk.create(desk.body('12:00', { specialist_id: second?.id }));
  await other.create(other.body());
  const count = async (subject: Parameters<typeof createFeed>[2]) =>
    eventsIn((await read((await feedOf(desk, subject)).url)).text).map(({ uid }) => uid);
  expect(await count({ kind: 'specialist', id: first?.id ?? '' })).toEqual([made.data.booking.reference]);
  expect(await count({ kind: 'location', id: desk.location.id })).toHaveLength(2);
  expect(await count({ kind: 'business' })).toHaveLength(2);
  await expect(feedOf(desk, { kind: 'location', id: other.location.id })).rejects.toMatchObject({ code: 'not_found' });
  await expect(feedOf(desk, { kind: 'business' })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'subject', message: 'already has a calendar feed' }],
  });
});

describe('a block in a feed', () => {
  const made = (
    desk: Desk,
    of: { specialistId?: string; locationId?: string },
    doc: Parameters<typeof createBlock>[3],
  ) => {
    const by = { tenantId: desk.tenant.id, actor: SYSTEM, confirmed: undefined };
    const saved = createBlock(new Date(), by, { specialistId: null, locationId: null, ...of }, doc);
    return saved.then((block) => ('id' in block ? block : expect.unreachable('there are bookings inside')));
  };
  const feed = async (desk: Desk, subject: Parameters<typeof createFeed>[2]) => {
    const { url } = await feedOf(desk, subject);
    return async () => eventsIn((await read(url)).text).map(({ uid, summary, start }) => [uid, summary, start]);
  };

  test('keeps its UID, raises its SEQUENCE, disappears when it is deleted, and never says why', async () => {
    const desk = await makeDesk();
    const { url } = await feedOf(desk, { kind: 'location', id: desk.location.id });
    const doc = { from: `${dayAhead()}T12:00`, to: `${dayAhead(9)}T13:00`, repeat: null, reason: 'A private reason' };
    const { id } = await made(desk, { locationId: desk.location.id }, doc);
    const uid = `${id}-Europe/Berlin`;
    const first = await read(url);
    const shown = { uid, sequence: 1, status: 'CONFIRMED', summary: 'Blocked', location: null };
    expect(eventsIn(first.text)).toMatchObject([{ ...shown, start: `Europe/Berlin ${dayAhead()}T12:00:00` }]);
    expect(first.text).toContain(`DTEND;TZID=Europe/Berlin:${dayAhead(9).replaceAll('-', '')}T130000`);
    expect(first.text).toContain('TRANSP:OPAQUE');
    expect((await read(url, { 'if-none-match': String(first.headers.etag) })).status).toBe(304);
    const by = { tenantId: desk.tenant.id, actor: SYSTEM, id };
    await updateBlock(
      new Date(),
      { ...by, expectedVersion: 1, confirmed: undefined },
      { ...doc, from: `${dayAhead()}T14:30` },
    );
    const moved = await read(url);
    expect(eventsIn(moved.text)).toMatchObject([
      { ...shown, sequence: 2, start: `Europe/Berlin ${dayAhead()}T14:30:00` },
    ]);
    const stamps = (text: string) =>
      [...text.matchAll(/^(DTSTAMP|LAST-MODIFIED|CREATED):(.*)\r$/gm)].map(([, , at]) => at);
    expect(stamps(moved.text)[0]).toBe(stamps(moved.text)[2]);
    await deleteBlock(new Date(), { ...by, expectedVersion: 2 });
    const gone = await read(url);
    expect(eventsIn(gone.text)).toEqual([]);
    for (const { text } of [first, moved, gone]) expect(text).not.toContain('private');
  });

  test('that repeats is one event for each occurrence of the next year', async () => {
    const desk = await makeDesk();
    const events = await feed(desk, { kind: 'specialist', id: desk.specialists[0]?.id ?? '' });
    const weekday = ((new Date(dayAhead()).getUTCDay() + 6) % 7) + 1;
    const repeat = { every_weeks: 2, weekdays: [weekday], until: dayAhead(700) };
    const doc = { from: `${dayAhead()}T22:00`, to: `${dayAhead(8)}T02:00`, repeat, reason: null };
    const { id } = await made(desk, { specialistId: desk.specialists[0]?.id }, doc);
    const expected = [];
    for (let days = 7; days <= 366; days += 14)
      expected.push([`${id}-${dayAhead(days)}-Europe/Berlin`, 'Blocked', `Europe/Berlin ${dayAhead(days)}T22:00:00`]);
    expect(await events()).toEqual(expected);
  });

  test('that comes soon is not lost behind thousands of later ones', async () => {
    const desk = await makeDesk();
    const { url } = await feedOf(desk, { kind: 'business' });
    const doc = { from: `${dayAhead()}T12:00`, to: `${dayAhead()}T13:00`, repeat: null, reason: null };
    const { id } = await made(desk, { locationId: desk.location.id }, doc);
    const { rows } = await pool().query('SELECT to_jsonb(b) AS row FROM blocks b WHERE id = $1', [id]);
    const day = dayAhead(200);
    const times = { starts_at: `${day}T12:00`, ends_at: `${day}T13:00`, last_day: day };
    const later = Array.from({ length: 3_000 }, () => ({ ...rows[0].row, ...times, id: newId('blk') }));
    await pool().query('INSERT INTO blocks SELECT * FROM jsonb_populate_recordset(NULL::blocks, $1)', [
      JSON.stringify(later),
    ]);
    expect((await read(url)).text).toContain(id);
  });

  test('is in the feeds of what it closes, and in local time of each time zone', async () => {
    const desk = await makeDesk({ specialists: 2 });
    const [first, second] = desk.specialists;
    const far = await makeLocation(desk.tenant.id, { timeZone: 'Asia/Tokyo', city: 'Tokyo' });
    if (second) await offer(desk.tenant.id, [second], [desk.service], [far]);
    const day = (hour: string) => ({
      from: `${dayAhead()}T${hour}:00`,
      to: `${dayAhead()}T${hour}:30`,
      repeat: null,
      reason: null,
    });
    await made(desk, { specialistId: first?.id }, day('09'));
    await made(desk, { specialistId: second?.id }, day('10'));
    await made(desk, { locationId: far.id }, day('11'));
    await made(desk, {}, day('12'));
    const shown = async (subject: Parameters<typeof createFeed>[2]) =>
      (await (await feed(desk, subject))())
        .map(([, summary, start]) => `${summary} ${String(start).replace(/ .*T/, ' ')}`)
        .sort();
    const [berlin, tokyo] = ['Europe/Berlin', 'Asia/Tokyo'];
    expect(await shown({ kind: 'specialist', id: first?.id ?? '' })).toEqual([
      `Blocked ${berlin} 09:00:00`,
      `Blocked – Tenant ${berlin} 12:00:00`,
    ]);
    expect(await shown({ kind: 'location', id: far.id })).toEqual([
      `Blocked ${tokyo} 11:00:00`,
      `Blocked – ${second?.displayName} ${tokyo} 10:00:00`,
      `Blocked – Tenant ${tokyo} 12:00:00`,
    ]);
    expect(await shown({ kind: 'business' })).toEqual(
      [
        `Blocked ${berlin} 12:00:00`,
        `Blocked ${tokyo} 12:00:00`,
        `Blocked – ${first?.displayName} ${berlin} 09:00:00`,
        `Blocked – ${second?.displayName} ${berlin} 10:00:00`,
        `Blocked – ${second?.displayName} ${tokyo} 10:00:00`,
        `Blocked – Studio ${tokyo} 11:00:00`,
      ].sort(),
    );
  });
});

test('an unknown, replaced, or revoked token and a suspended tenant get the same 404', async () => {
  const desk = await makeDesk();
  const by = { tenantId: desk.tenant.id, actor: SYSTEM };
  const { id, url } = await feedOf(desk, { kind: 'business' });
  const suspended = await makeDesk();
  const held = await feedOf(suspended, { kind: 'business' });
  await setTenantSuspended(new Date(), suspended.tenant.id, true);
  const replaced = await replaceFeed(new Date(), by, id);
  expect((await read(replaced.url)).status).toBe(200);
  await revokeFeed(new Date(), by, id);
  const plain = async (target: string) => {
    const { date: _, 'content-security-policy': __, ...headers } = (await read(target)).headers;
    return { headers, status: (await read(target)).status };
  };
  const unknown = await plain(`${origin}/api/calendar/${'a'.repeat(43)}`);
  expect(unknown.status).toBe(404);
  for (const target of [url, replaced.url, held.url]) expect(await plain(target)).toEqual(unknown);
  await expect(revokeFeed(new Date(), by, id)).rejects.toMatchObject({ code: 'not_found' });
  await setTenantSuspended(new Date(), suspended.tenant.id, false);
  expect((await read(held.url)).status).toBe(200);
});

test('reads of one feed are limited, and unknown tokens by network', async () => {
  const desk = await makeDesk();
  const { url } = await feedOf(desk, { kind: 'business' });
  const statuses = async (count: number, target: () => string, address?: string) => {
    const found = [];
    for (let sent = 0; sent < count; sent += 1) found.push(await read(target(), {}, address ?? freshAddress()));
    return found;
  };
  const reads = await statuses(31, () => url);
  expect(reads.map(({ status }) => status)).toEqual([...Array(30).fill(200), 429]);
  expect(Number(reads.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
  const address = freshAddress();
  const guess = () => `${origin}/api/calendar/${newId('req').slice(4).padEnd(43, 'x')}`;
  expect((await statuses(61, guess, address)).map(({ status }) => status)).toEqual([...Array(60).fill(404), 429]);
});

test('only owners create, replace, and revoke feeds, with audit entries that contain no token', async () => {
  const desk = await makeDesk();
  const owner = await makePerson(desk.tenant.id, 'OWNER');
  const cookie = await openSessionOf(owner);
  const call = (path: string, type: 'query' | 'mutation', input?: object) =>
    callProcedure(`calendar_feeds.${path}`, { origin, cookie, type, input });
  const subject = { kind: 'location', id: desk.location.id };
  const created = (await call('create', 'mutation', { subject })).data as { id: string; url: string };
  expect((await read(created.url)).status).toBe(200);
  const replaced = (await call('replace', 'mutation', { feed_id: created.id })).data as { id: string; url: string };
  expect((await read(replaced.url)).status).toBe(200);
  const { data } = await call('list', 'query');
  expect(data).toEqual([
    { id: created.id, subject, name: 'Studio', issued_at: expect.any(String), last_read_at: expect.any(String) },
  ]);
  await call('revoke', 'mutation', { feed_id: created.id });
  const entries = await db().auditLog.findMany({ where: { objectId: created.id }, orderBy: { id: 'asc' } });
  const kept = { of: 'location', location_id: desk.location.id };
  expect(entries.map(({ action, actorId, before, after }) => ({ action, actorId, before, after }))).toEqual([
    { action: 'calendar_feed.created', actorId: owner.userId, before: null, after: kept },
    { action: 'calendar_feed.replaced', actorId: owner.userId, before: null, after: kept },
    { action: 'calendar_feed.revoked', actorId: owner.userId, before: kept, after: null },
  ]);
  const tokens = [created.url, replaced.url].map((url) => url.split('/').at(-1));
  const { rows } = await pool().query('SELECT * FROM audit_log WHERE tenant_id = $1', [desk.tenant.id]);
  for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token);
});

test('5,000 bookings are the limit, upcoming ones first, within bounded time', async () => {
  const desk = await makeDesk();
  const { reference } = (await desk.create(desk.body())).data.booking;
  // Copies of the booking, without claims: 5,060 ahead and 300 in the past days.
  await pool().query(
    `INSERT INTO bookings SELECT (jsonb_populate_record(b, jsonb_build_object(
        'reference', 'pbr_7f' || lpad(to_hex(n + 301), 24, '0'), 'claim_id', null,
        'claim_removed_at', date_trunc('minute', now()) + n * interval '7 minutes' + interval '1 day',
        'starts_at', date_trunc('minute', now()) + n * interval '7 minutes',
        'ends_at', date_trunc('minute', now()) + n * interval '7 minutes' + interval '30 minutes',
        'date', (now() + n * interval '7 minutes')::date,
        'end_date', (now() + n * interval '7 minutes')::date))).*
     FROM bookings b, generate_series(-300, 5060) n
     WHERE b.reference = $1 AND n <> 0`,
    [reference],
  );
  const { url } = await feedOf(desk, { kind: 'business' });
  const began = performance.now();
  const { text, status } = await read(url);
  const took = performance.now() - began;
  expect(status).toBe(200);
  const starts = [...text.matchAll(/^BEGIN:VEVENT\r$[\s\S]*?^DTSTART[^:]*:(\w{15})/gm)].map(([, start = '']) => start);
  expect(starts).toHaveLength(5_000);
  expect(text.length).toBeLessThan(4_000_000);
  expect(took).toBeLessThan(15_000);
  const now = new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  const past = starts.filter((start) => start < now);
  expect(past.length).toBeLessThan(60);
});

test('the list begins with the business', async () => {
  const desk = await makeDesk();
  await feedOf(desk, { kind: 'specialist', id: desk.specialists[0]?.id ?? '' });
  await feedOf(desk, { kind: 'location', id: desk.location.id });
  await feedOf(desk, { kind: 'business' });
  expect((await listFeeds(desk.tenant.id)).map(({ name, subject }) => [name, subject.kind])).toEqual([
    ['Tenant', 'business'],
    ['Studio', 'location'],
    ['Alex Example', 'specialist'],
  ]);
});
