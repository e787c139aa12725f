import { readdirSync } from 'node:fs';
import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { TENANT_HEADER, tenantPath } from '@/app/_components/tenant-path';
import { flushRefusedCalls } from '@/lib/activity/audit/refused-calls';
import { changeSettings } from '@/tests/support/fresh-process';
import { sharedServer } from '@/tests/support/shared';
import { SOAK } from '@/tests/support/soak';
import { ENTRIES } from '../control-center/every-procedure-entries';
import { callAs } from './calls';
import { compareTwins } from './compare';
import { filledFields, namingFields } from './fields';
import { inputsOf, PROCEDURES, schemasOf } from './inputs';
import { makeWorlds, marksOf, neutral, rowsOf, swapsOf, type Values, type World, type Worlds } from './world';

const { origin } = sharedServer();

/**
 * Every route handler. `null` means that a test of this file or `partner.test.ts` calls the handler. A string states why no client can make the handler read a record of
 * another tenant.
 */
const HANDLERS: Record<string, string | null> = {
  'api/trpc/[trpc]': null,
  'api/control-center/audit-export': null,
  'api/control-center/bookings-export': null,
  'api/control-center/statistics-export': null,
  'api/control-center/requests-export': null,
  'api/partner/v1/[...unknown]': null,
  'api/partner/v1/availability': null,
  'api/partner/v1/availability/days': null,
  'api/partner/v1/availability/explain': null,
  'api/partner/v1/bookings': null,
  'api/partner/v1/bookings/[pbr_reference]': null,
  'api/partner/v1/bookings/[pbr_reference]/actions/cancel': null,
  'api/partner/v1/bookings/[pbr_reference]/actions/reschedule': null,
  'api/partner/v1/bookings/digest': null,
  'api/partner/v1/busy/[external_id]': 'partners lack its scope; partner-v1/busy.test.ts compares tenants',
  'api/partner/v1/catalog': null,
  'api/partner/v1/catalog/specialists': null,
  'api/partner/v1/events': null,
  'api/partner/v1/me': null,
  'api/partner/v1/test/clock': 'only the application of the key; sandbox/clock.test.ts compares applications',
  'api/partner/v1/test/conformance': 'not in LIVE; sandbox/readiness.test.ts compares tenants',
  'api/partner/v1/test/owner-actions': 'not in LIVE; sandbox/clock.test.ts compares tenants',
  'api/partner/v1/test/readiness': 'not in LIVE; sandbox/readiness.test.ts compares tenants',
  'api/partner/v1/test/signature-checks': 'only the application of the key',
  'api/partner/v1/webhooks/test-events': null,
  'api/[...missing]': 'always a 404',
  'api/auth/[...nextauth]': 'a user, not a tenant',
  'api/second-step': 'a user, not a tenant',
  'api/calendar/[token]': 'the secret token of the URL selects the tenant',
  'api/email': 'the secret token of the link selects an account, not a tenant',
  'api/invite': 'the secret token of the link selects the tenant',
  'api/password': 'the secret token of the link selects an address, not a tenant',
  'api/unsubscribe': 'the signed token names a user, not a tenant',
  'api/setup': 'there is no tenant yet',
  'api/bench/bare': 'only benchmarks; no database',
  'api/health': 'no input',
  'api/health/live': 'no input',
  'api/inngest': 'signed by Inngest',
  'api/metrics': 'counts of the whole deployment, for the operator only',
  '[[...path]]': 'redirects to a tenant of the user',
  'docs/[[...path]]': 'the documentation, no tenant',
  'docs/openapi.json': 'the documentation, no tenant',
};

/**
 * `npm test` sends all filters of a list at once. Each of them alone is an input of the list's procedure, and in the soak
 * also of the page and the export.
 */
function filterSets(filters: Record<string, string>): Record<string, string>[] {
  return SOAK ? Object.entries(filters).map(([name, value]) => ({ [name]: value })) : [filters];
}

const filtered = (path: string, filters: Record<string, string>) =>
  filterSets(filters).map((set) => `${path}?${new URLSearchParams(set)}`);

/**
 * For each page whose URL can name records, a function that returns URLs of the page with the ids in `Values`. The URLs
 * of all other pages name no record.
 */
const PAGES: Record<string, (values: Values) => string[]> = {
  'applications/[id]': ({ applicationId }) => [`/applications/${applicationId}`],
  'applications/[id]/keys': ({ applicationId }) => [`/applications/${applicationId}/keys`],
  'applications/[id]/webhook': ({ hookedId }) => [`/applications/${hookedId}/webhook`],
  statistics: ({ serviceId }) => filtered('/statistics', { service: serviceId }),
  audit: ({ ownerId, applicationId }) => filtered('/audit', { person: ownerId, object: applicationId }),
  'audit/refused': ({ ownerId }) => filtered('/audit/refused', { person: ownerId }),
  'audit/sign-ins': ({ ownerId }) => filtered('/audit/sign-ins', { person: ownerId }),
  bookings: ({ applicationId, locationId, serviceId, specialistId, reference }) =>
    filtered('/bookings', {
      application: applicationId,
      location: locationId,
      service: serviceId,
      specialist: specialistId,
      reference,
    }),
  'bookings/[reference]': ({ reference }) => [`/bookings/${reference}`],
  'bookings/day': ({ locationId }) => filtered('/bookings/day', { location: locationId }),
  'bookings/week': ({ locationId, specialistId }) => [
    `/bookings/week?location=${locationId}&specialist=${specialistId}`,
  ],
  'catalog/locations/[id]': ({ locationId }) => [`/catalog/locations/${locationId}`],
  'catalog/preview': ({ serviceId, locationId }) => [`/catalog/preview?service=${serviceId}&location=${locationId}`],
  'catalog/services/[id]': ({ serviceId }) => [`/catalog/services/${serviceId}`],
  'catalog/specialists/[id]': ({ specialistId }) => [`/catalog/specialists/${specialistId}`],
  requests: ({ applicationId, keyId, reference }) =>
    filtered('/requests', { application: applicationId, key: keyId, reference }),
  'requests/[request_id]': ({ requestId }) => [`/requests/${requestId}`],
};

/** The filters with which each export is tested. Each filter names a record of the tenant. */
const EXPORTS: Record<string, (values: Values) => object[]> = {
  bookings: ({ applicationId, reference }) => filterSets({ application_id: applicationId, reference }),
  statistics: ({ applicationId }) => [{ application_id: applicationId, from: '2026-01-01', to: '2026-12-31' }],
  audit: ({ ownerId, applicationId }) => filterSets({ person: ownerId, object_id: applicationId }),
  requests: ({ applicationId, keyId, reference }) =>
    filterSets({ application_id: applicationId, key_id: keyId, reference }),
};

let worlds: Worlds;
let marks: string[];
let before: string[];

const otherRows = () => rowsOf(worlds.other, [worlds.birch, worlds.beech]);

beforeAll(async () => {
  changeSettings({ WEBHOOKS_ALLOW_LOOPBACK: '1' });
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
  before = await otherRows();
});

/** Returns the results of `inputsOf` as JSON. */
function callsOf(world: Worlds['birch'], path: string): string[] {
  return inputsOf(path, world).map((input) => JSON.stringify(input ?? {}));
}

test.each(PROCEDURES)('the inputs of $path contain every field that can name a record', ({ path }) => {
  const filled = inputsOf(path, worlds.birch).flatMap((input) => filledFields(input));
  expect(filled).toEqual(expect.arrayContaining(schemasOf(path).flatMap(namingFields)));
});

describe.each(PROCEDURES)('$path', ({ path }) => {
  test('treats values of another tenant as unknown values', async () => {
    const now = new Date();
    await compareTwins(
      worlds,
      (world) => callsOf(world, path),
      marks,
      (world, request) => callAs(world, path, request, now),
    );
  });
});

/**
 * Returns the paths of all files with a given name below a folder of `app`. The paths contain neither the file name nor
 * route groups.
 */
function pathsOf(file: string, folder: string): string[] {
  const found = readdirSync(`app/${folder}`, { recursive: true, encoding: 'utf8' });
  return found
    .filter((path) => path === file || path.endsWith(`/${file}`))
    .map((path) => path.replace(/^\([^/]+\)\//, '').replace(new RegExp(`/?${file}$`), ''));
}

test('every route handler is known', () => {
  expect(pathsOf('route.ts', '').sort()).toEqual(Object.keys(HANDLERS).sort());
});

test('every page whose path has a parameter has a request', () => {
  const named = pathsOf('page.tsx', 't/[tenant]/').filter((path) => path.includes('[') && path !== '[...missing]');
  expect(Object.keys(PAGES)).toEqual(expect.arrayContaining(named));
});

/**
 * Expects that the other tenant's values in a request cause the same response as values that belong to no record.
 * `npm test` replaces all values at once (see `filterSets`).
 */
async function compare(
  { values }: World,
  own: string,
  send: (request: string) => Promise<{ status: number; text: string }>,
) {
  const { other, unknown } = worlds;
  const variantsWith = (replacements: Values) => swapsOf(own, values, replacements).slice(SOAK ? 0 : -1);
  const unknowns = variantsWith(unknown);
  expect(unknowns).not.toEqual([]);
  for (const [index, { what, text }] of variantsWith(other.values).entries()) {
    const expected = await send(unknowns[index]?.text ?? '');
    const found = await send(text);
    expect([what, found.status]).toEqual([what, expected.status]);
    expect([what, neutral(found.text, values, other.values)]).toEqual([what, neutral(expected.text, values, unknown)]);
    expect([what, ...marks.filter((mark) => !text.includes(mark) && found.text.includes(mark))]).toEqual([what]);
  }
}

/**
 * Returns the HTML of a page's main content, without comments. The returned text begins with a list of the other
 * tenant's data (see `marksOf`) that the page contains although `path` does not.
 */
async function page(path: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(origin + tenantPath(worlds.birch.tenantId, path), {
    headers: { cookie: worlds.birch.cookie },
  });
  const html = await body.text();
  // Every page shows the tenant's name, except the sign-in page. This assertion proves that the request was signed in.
  expect(html).toContain('birch tenant');
  // Searches the whole HTML, because its scripts contain data too. The returned text omits the scripts, because their
  // order may vary.
  const leaked = marks.filter((mark) => !path.includes(mark) && html.includes(mark));
  const shown = html.slice(html.indexOf('<main'), html.indexOf('</main>')).replaceAll(/<!--.*?-->/g, '');
  return { status: statusCode, text: `${leaked.join()} ${shown}` };
}

describe.each(Object.keys(PAGES))('the page %s', (path) => {
  test('shows the same for a record of another tenant as for no record', async () => {
    for (const own of PAGES[path]?.(worlds.birch.values) ?? []) await compare(worlds.birch, own, page);
  });
});

describe.each(Object.keys(EXPORTS))('the export of %s', (list) => {
  test('contains the same for a filter of another tenant as for no record', async () => {
    // The audit log of `beech` then contains the filters. What `birch` reads is compared below.
    const { beech } = worlds;
    for (const filters of EXPORTS[list]?.(beech.values) ?? []) {
      await compare(beech, JSON.stringify(filters), async (text) => {
        const { cookie, tenantId } = beech;
        const own = { 'x-partner-booking': 'control-center', [TENANT_HEADER]: tenantId };
        const headers = { cookie, 'content-type': 'application/json', ...own };
        const sent = { method: 'POST' as const, headers, body: text };
        const { statusCode, body } = await request(`${origin}/api/control-center/${list}-export`, sent);
        expect(statusCode).toBe(200);
        return { status: statusCode, text: await body.text() };
      });
    }
  });
});

test('no procedure, page, or export changes a row of another tenant', async () => {
  expect(await otherRows()).toEqual(before);
});

test('no call of an owner changes what another tenant reads, including counts', async () => {
  const now = new Date();
  const { birch, other } = worlds;
  const all = PROCEDURES.filter(({ type }) => type === 'query').flatMap(({ path }) =>
    callsOf(birch, path).map((request) => ({ path, request })),
  );
  // A timer writes the tenant's own refused calls, those of these reads too, so their list changes by itself.
  const isOfRefusals = ({ path }: { path: string }) => path === 'audit.refused_calls';
  const [refusals, queries] = [all.filter(isOfRefusals), all.filter((one) => !isOfRefusals(one))];
  const read = async (asked = queries) => {
    const replies: string[] = [];
    for (const { path, request } of asked) {
      const { status, body } = await callAs(birch, path, request, now);
      replies.push(`${path} ${request}: ${status} ${body}`);
    }
    return replies;
  };
  const marked = (replies: string[]) => replies.filter((reply) => marks.some((mark) => reply.includes(mark)));
  const first = await read();
  expect(marked(first)).toEqual([]);
  // The booking procedures are called before the catalog procedures, because some catalog procedures unpublish the
  // booked service.
  const isBooking = ({ path }: { path: string }) => path.startsWith('bookings.');
  const ordered = [...PROCEDURES.filter(isBooking), ...PROCEDURES.filter((one) => !isBooking(one))];
  for (const { path } of ordered)
    for (const request of callsOf(other, path)) {
      const { status, body } = await callAs(other, path, request, now);
      // Status 409, a version conflict, also proves that the input names an existing record. `team.invite` gets the
      // email address of the owner, who is already a member, so it returns 400.
      const asMember = path === 'team.invite' ? 400 : 200;
      expect([200, 409, asMember, ENTRIES[path]?.status ?? 200], `${path} ${request}: ${body}`).toContain(status);
    }
  expect(await otherRows()).not.toEqual(before);
  expect(await read()).toEqual(first);
  await flushRefusedCalls();
  const listed = await read(refusals);
  expect(listed.join()).toContain('not_found');
  expect(marked(listed)).toEqual([]);
});
