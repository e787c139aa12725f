import { parse } from 'csv-parse/sync';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { exportName } from '@/lib/control-center/exports/file-name';
import { beginExport, endExport } from '@/lib/control-center/exports/record';
import { exportCsv } from '@/lib/control-center/exports/stream';
import { db, pool } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeApplication, makeService, makeTenant } from '@/tests/support/factories';
import { ago, writeLines } from '@/tests/support/request-lines';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const { origin } = sharedServer();

const OWN_PAGE = { 'x-partner-booking': 'control-center', 'content-type': 'application/json' };

/** Opens a file as a spreadsheet whose list separator is `delimiter`, and returns the cells of each line. */
const cells = (text: string, delimiter = ',') =>
  parse(text, { bom: true, delimiter, relax_quotes: true, relax_column_count: delimiter !== ',' });

/** Creates a tenant with an application and a signed-in member. */
async function makeExporter({ role = 'OWNER' as Role, application = 'Acme' } = {}) {
  const tenant = await makeTenant();
  const { applicationId, keyId } = await makeApplication(tenant.id, { name: application });
  const person = await makePerson(tenant.id, role);
  const cookie = await openSessionOf(person);
  const own = { cookie, ...OWN_PAGE, [TENANT_HEADER]: tenant.id };
  const send = (list: string, input: unknown = {}, headers: Record<string, string> = own) =>
    request(`${origin}/api/control-center/${list}-export`, { method: 'POST', headers, body: JSON.stringify(input) });
  const load = async (list: string, input?: unknown) => {
    const response = await send(list, input);
    // `text()` would remove the byte order mark.
    const text = Buffer.from(await response.body.arrayBuffer()).toString();
    const rows = response.statusCode === 200 ? cells(text).slice(1) : [];
    return { status: response.statusCode, headers: response.headers, text, rows };
  };
  const known = { tenant_id: tenant.id, application_id: applicationId, key_id: keyId };
  const actor = { kind: 'owner' as const, id: person.userId, tenantId: tenant.id };
  return { tenant, known, actor, send, load };
}

/** Returns a tenant's recorded exports, oldest first. */
async function exportsOf(tenantId: string) {
  const where = { tenantId, action: { endsWith: '.exported' } };
  const entries = await db().auditLog.findMany({ where, orderBy: { id: 'asc' } });
  return entries.map(({ action, actorId, after }) => ({ action, actorId, after: after as Record<string, unknown> }));
}

test('exports the filtered requests, newest first, over several pages, and records who exported how many', async () => {
  const { tenant, known, actor, load } = await makeExporter();
  await writeLines(Array.from({ length: 1_201 }, (_, n) => ({ ...known, at: ago(n), status: n % 2 ? 200 : 404 })));
  const all = await load('requests');
  expect(all).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'private, no-store' },
  });
  expect(all.headers['content-disposition']).toMatch(/^attachment; filename="requests-\d{4}-\d\d-\d\d\.csv"$/);
  expect(all.text).toMatch(/^\ufeff"request_id","time_utc","status","method",/);
  expect(new Set(all.rows.map(([id]) => id)).size).toBe(1_201);
  const times = all.rows.map(([, time]) => time ?? '');
  expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(times).toEqual([...times].sort().reverse());
  const refused = await load('requests', { status: '4xx', order: 'oldest', period: '1h' });
  expect(refused.rows).toHaveLength(601);
  expect(refused.rows[0]).toEqual(all.rows.at(-1));
  const period = { from: expect.any(String), to: expect.any(String) };
  expect(await exportsOf(tenant.id)).toEqual([
    {
      action: 'requests.exported',
      actorId: actor.id,
      after: { rows: 1_201, result: 'complete', period: '24h', ...period },
    },
    {
      action: 'requests.exported',
      actorId: actor.id,
      after: { rows: 601, result: 'complete', period: '1h', status: '4xx', ...period },
    },
  ]);
});

const FORMULAS = [
  '=1+1',
  '+49 30',
  '-1+2',
  '@SUM(1)',
  '\tx',
  '\rx',
  '＝1',
  '＋1',
  '－1',
  '＠A1',
  '﹦1',
  '﹢1',
  '﹣1',
  '﹫A1',
];

/** Texts that a partner or owner may choose: each formula at the start, and after each separator. */
const HOSTILE = FORMULAS.flatMap((formula) => [
  ...['', ' ', '\u00a0', '"', ' "" '].map((before) => before + formula),
  ...[';', ',', '\t', '\n', '\r\n', '\r', '|', '; ', ';"', ',"', '\t"', ';;', ':', ';\u200b', ";'", '\u2028'].map(
    (separator) => `4711${separator}${formula}`,
  ),
]);

// A cell is read as in a spreadsheet that also removes the quotes and blanks before its text.
const STARTS_FORMULA = /^[\p{Zs}\p{Cf}"]*[=+\-@\t\r＝＋－＠﹦﹢﹣﹫]/u;

test('no cell of an export starts with a formula, whichever list separator opens the file', async () => {
  const { tenant, known, load } = await makeExporter({ application: '=HYPERLINK("https://evil.example");=1' });
  // The log has no control characters in an external reference, so every text is in the audit log.
  await writeLines(HOSTILE.map((external_reference, n) => ({ ...known, at: ago(n), external_reference })));
  const change = {
    actorKind: 'system',
    action: 'thing.done',
    objectKind: 'thing',
    tenantId: tenant.id,
    at: new Date(),
  };
  await db().auditLog.createMany({
    data: HOSTILE.map((note, n) => ({
      ...change,
      id: newId('aud'),
      objectId: n % 2 ? `thing;${note.slice(0, 50)}` : 'thing',
      before: { note, [note]: 'x' },
      after: { note: `${note};${note}`, [note]: note },
    })),
  });
  for (const [list, input] of [
    ['requests', {}],
    ['audit', { object_kind: 'thing' }],
  ] as const) {
    const { text, rows } = await load(list, input);
    expect(rows.length).toBe(HOSTILE.length);
    for (const delimiter of [',', ';', '\t', '|', ':']) {
      const opened = cells(text, delimiter).flat();
      expect(opened.length).toBeGreaterThan(HOSTILE.length);
      expect(opened.filter((cell) => STARTS_FORMULA.test(cell))).toEqual([]);
    }
  }
  const { text, rows } = await load('requests');
  expect(text.replaceAll(/"(?:[^"]|"")*"/g, '')).toMatch(/^\ufeff(?:,*\r\n)*$/);
  for (const [, time, status, , , , , duration] of rows) {
    expect([new Date(time ?? '').toISOString(), Number.isInteger(Number(status)), Number(duration) >= 0]).toEqual([
      time,
      true,
      true,
    ]);
  }
});

test('a formula in a reference is shown as text, and other text is unchanged', async () => {
  const { known, load } = await makeExporter({ application: '=HYPERLINK("https://evil.example")' });
  const references = [
    '@SUM(1)',
    '4711;=1+1',
    'a;"=1"',
    'a "b", c',
    'a-b=c; d, e',
    'a:=1+1',
    'a =1+1',
    'Cut - long',
    'plain',
  ];
  await writeLines(references.map((external_reference, n) => ({ ...known, at: ago(n), external_reference })));
  const { text, rows } = await load('requests');
  expect(rows.every((row) => row[9] === `'=HYPERLINK("https://evil.example")`)).toBe(true);
  expect(rows.map((row) => row.at(-1))).toEqual([
    "'@SUM(1)",
    "4711;'=1+1",
    `a;"'=1"`,
    'a "b", c',
    'a-b=c; d, e',
    "a:'=1+1",
    "a '=1+1",
    'Cut - long',
    'plain',
  ]);
  expect(text).toMatch(/,"plain"\r\n$/);
});

test('states what a refused write requested, with names instead of IDs', async () => {
  const { tenant, known, load } = await makeExporter();
  const service = await makeService(tenant.id);
  const unknown = newId('spc');
  const refused = { service_id: service.id, specialist_id: unknown, date: '2026-12-25', start_time: '10:00' };
  await writeLines([{ ...known, status: 409, external_reference: 'order-1', refused }]);
  const { text, rows } = await load('requests', { status: '4xx' });
  const columns = ['service', 'location', 'specialist', 'date', 'time'].map((name) => `requested_${name}`);
  expect(cells(text)[0]?.slice(-7)).toEqual([...columns, 'booking_reference', 'external_reference']);
  expect(rows.map((row) => row.slice(-7))).toEqual([['Haircut', '', unknown, '2026-12-25', '10:00', '', 'order-1']]);
});

test('exports changes with their values, of this tenant only', async () => {
  const { tenant, known, load } = await makeExporter();
  const stranger = await makeExporter();
  await writeLines([{ ...stranger.known }, known]);
  const ofThing = { actorKind: 'system', action: 'thing.done', objectKind: 'thing', objectId: 'thing' };
  const change = { ...ofThing, at: new Date(), before: { note: 'two\nlines' }, after: { note: 'x' } };
  await db().auditLog.createMany({
    data: [tenant, stranger.tenant].map(({ id }) => ({ ...change, id: newId('aud'), tenantId: id })),
  });
  const { text, rows, headers } = await load('audit', { object_kind: 'thing' });
  const columns = 'change,actor,actor_id,action,action_code,object_type,object,object_id,changes';
  expect(cells(text)[0]?.join()).toBe(`id,time_utc,time_local,time_zone,${columns}`);
  expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-/);
  expect(rows).toEqual([
    [
      expect.stringMatching(/^aud_\w+$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      'Europe/Berlin',
      ...['System thing done: thing.', 'System', '', 'thing done', 'thing.done', 'thing', 'thing', 'thing'],
      'note: two\nlines → x',
    ],
  ]);
  expect((await load('requests')).rows).toHaveLength(1);
  const page = await load('audit');
  expect(page.text).not.toContain(stranger.tenant.id);
  expect(page.text).not.toContain(stranger.actor.id);
});

test('an exported file has the date in the tenant’s time zone', async () => {
  // At any time, the date in one of these time zones differs from the date in UTC.
  const now = new Date();
  const zone = now.getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Etc/GMT+12';
  const { tenant, load } = await makeExporter();
  await db().tenant.update({ where: { id: tenant.id }, data: { timeZone: zone } });
  const before = exportName('requests', new Date(), zone);
  const { headers } = await load('requests');
  const names = [before, exportName('requests', new Date(), zone)].map((name) => `attachment; filename="${name}"`);
  expect(names).toContain(headers['content-disposition']);
});

test('refuses nobody, foreign pages, other roles, unknown filters, and credentials', async () => {
  const owner = await makeExporter();
  const support = await makeExporter({ role: 'SUPPORT' });
  const desk = await makeExporter({ role: 'FRONT_DESK' });
  const refusal = async (response: ReturnType<typeof owner.send>) => {
    const { statusCode, body } = await response;
    const text = await body.text();
    return [statusCode, text === '' ? '' : JSON.parse(text).error.code];
  };
  for (const list of ['requests', 'audit']) {
    expect(await refusal(owner.send(list, {}, OWN_PAGE))).toEqual([401, 'sign_in_required']);
    expect(await refusal(owner.send(list, {}, { 'content-type': 'application/json' }))).toEqual([403, '']);
    expect(await refusal(owner.send(list, {}, { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' }))).toEqual([403, '']);
    expect(await refusal(desk.send(list))).toEqual([403, 'forbidden']);
    expect(await refusal(owner.send(list, { tenant_id: support.tenant.id }))).toEqual([400, 'invalid_request']);
    expect(await refusal(owner.send(list, 'x'))).toEqual([400, 'invalid_request']);
  }
  expect(await refusal(support.send('audit'))).toEqual([403, 'forbidden']);
  expect((await support.load('requests')).status).toBe(200);
  const secret = { reference: `pbk_test_${'a1B2'.repeat(11)}` };
  expect(await refusal(owner.send('requests', secret))).toEqual([400, 'invalid_request']);
  for (const { tenant } of [owner, desk]) expect(await exportsOf(tenant.id)).toEqual([]);
});

test('a member runs one export at a time, and an interrupted one ends after five minutes', async () => {
  const { tenant, actor, load } = await makeExporter();
  const other = await makeExporter();
  const given = { tenantId: tenant.id, actor, list: 'audit' as const, filters: {} };
  const entryId = await beginExport(new Date(), given);
  expect((await load('requests')).text).toContain('export_running');
  expect((await other.load('requests')).status).toBe(200);
  await endExport(entryId, { rows: 1, result: 'complete' });
  expect((await load('requests')).status).toBe(200);
  const begun = new Date(Date.now() - 301_000);
  const twice = [0, 1].map(() => beginExport(begun, given));
  const results = await Promise.allSettled(twice);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await load('requests')).status).toBe(200);
});

test('a client that disconnects stops the export before its end', async () => {
  const { tenant, send } = await makeExporter();
  // 16 MB is more than the buffers of a connection can hold, so the export cannot finish before the client disconnects.
  await pool().query(
    `INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
     SELECT 'aud_0' || lpad(n::text, 25, '0'), now(), $1, 'system', 'thing.done', 'thing', 'thing',
       jsonb_build_object('note', repeat('x', 4000)) FROM generate_series(1, 4000) AS n`,
    [tenant.id],
  );
  const response = await send('audit');
  expect(response.statusCode).toBe(200);
  response.body.on('error', () => {});
  response.body.destroy();
  const [entry] = await until(
    () => exportsOf(tenant.id),
    ([one]) => one?.after.result !== undefined,
  );
  expect(entry?.after).toMatchObject({ result: 'canceled' });
  expect(entry?.after.rows).toBeLessThan(4000);
});

test('a file ends at the limit with a note, and a failure ends the stream with an error', async () => {
  const { tenant, actor } = await makeExporter();
  const given = { tenantId: tenant.id, actor, list: 'requests' as const, filters: {} };
  const columns = [['n', (row: number) => row] as const, ['text', () => 'x'] as const];
  let read = 0;
  async function* pages(last: number) {
    for (read = 0; read < last; read += 1) yield [2 * read, 2 * read + 1];
    if (last === 3) throw new Error('broken');
  }
  const bounds = { most: 3, longest: 60_000 };
  const limited = await exportCsv(new Date(), given, { pages: pages(9), columns }, bounds);
  expect(read).toBe(0);
  expect(await new Response(limited).text()).toBe(
    '"n","text"\r\n"0","x"\r\n"1","x"\r\n"2","x"\r\n' +
      '"Limit of 100,000 rows reached. Narrow the filters to export the rest.",""\r\n',
  );
  expect(read).toBe(1);
  const failing = await exportCsv(new Date(), given, { pages: pages(3), columns }, { ...bounds, most: 10 });
  await expect(new Response(failing).text()).rejects.toThrow('broken');
  const late = exportCsv(new Date(), given, { pages: pages(9), columns }, { ...bounds, longest: -1 });
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable' });
  expect((await exportsOf(tenant.id)).map(({ after }) => after)).toEqual([
    { rows: 3, result: 'limit' },
    { rows: 6, result: 'failed' },
    { rows: 0, result: 'failed' },
  ]);
});
