import { request } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import { tenantPath } from '@/app/_components/tenant-path';
import { makeDesk } from '@/tests/support/bookings';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { requestIdAt, writeLines } from '@/tests/support/request-lines';
import { sharedServer } from '@/tests/support/shared';

/** Maximum compressed size of a page's scripts, in bytes. */
const MAX_SCRIPT = 300_000;

/** While the machine is busy, a page waits for its data in vain and lets the browser load it. Such a page is opened again. */
const WITHIN_WAIT = { timeout: 30_000, interval: 500 };

const { origin } = sharedServer();

type Page = { path: string; html: string; title: string };

let cookie: string;
let tenantId: string;
let names: Record<'application' | 'service' | 'location' | 'specialist' | 'booking' | 'request', string>;

beforeAll(async () => {
  const { tenant, applicationId, service, location, ids, book } = await makeDesk();
  const { reference } = await book('10:00');
  const [line] = await writeLines([
    {
      tenant_id: tenant.id,
      application_id: applicationId,
      request_id: requestIdAt(new Date()),
      code: 'not_found',
      status: 404,
    },
  ]);
  names = {
    application: `/applications/${applicationId}`,
    service: `/catalog/services/${service.id}`,
    location: `/catalog/locations/${location.id}`,
    specialist: `/catalog/specialists/${ids[0]}`,
    booking: `/bookings/${reference}`,
    request: `/requests/${line?.request_id}`,
  };
  tenantId = tenant.id;
  const person = await makePerson(tenant.id);
  cookie = await openSessionOf(person);
});

async function open(path: string, headers: Record<string, string> = { cookie }): Promise<Page> {
  const url = path === '/sign-in' ? path : tenantPath(tenantId, path);
  const { statusCode, body } = await request(origin + url, { headers });
  const html = await body.text();
  expect([path, statusCode]).toEqual([path, 200]);
  const page = {
    path,
    html,
    title: [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => text).join(' | '),
  };
  opened.set(path, page);
  return page;
}

/** As they were opened last. */
const opened = new Map<string, Page>();

/** Expects what `read` returns for a page. Begins with the page as an earlier test has opened it. */
async function expectPage(path: string, read: (page: Page) => unknown, expected: unknown): Promise<void> {
  let known = opened.get(path);
  const poll = async () => {
    const page = known ?? (await open(path));
    known = undefined;
    return [path, read(page)];
  };
  await expect.poll(poll, WITHIN_WAIT).toEqual([path, expected]);
}

/** Whether a page shows `text`, and whether it shows `mark`, which it must not. */
const shows = (text: string, mark: string) => (page: Page) => {
  const shown = shownBy(page);
  return [shown.includes(text), shown.includes(mark)];
};

/** Returns the content of `main`, which a browser shows even without scripts. */
function shownBy({ html }: Page): string {
  return html.slice(html.indexOf('<main'), html.indexOf('</main>')).replace(/<!--.*?-->/g, '');
}

const sizes = new Map<string, Promise<number>>();

/** Returns a script's compressed size in bytes. */
function sizeOf(path: string): Promise<number> {
  const known = sizes.get(path);
  if (known) return known;
  const size = request(origin + path, { headers: { 'accept-encoding': 'gzip' } }).then(async ({ body }) => {
    return (await body.arrayBuffer()).byteLength;
  });
  sizes.set(path, size);
  return size;
}

/** Returns the total compressed bytes of all scripts that load with a page. */
async function scriptOf({ html }: Page): Promise<number> {
  const paths = new Set(
    [...html.matchAll(/<script[^>]* src="([^"]+)"(?![^>]*nomodule)/gi)].map(([, path = '']) => path),
  );
  expect(paths.size).toBeGreaterThan(3);
  const all = await Promise.all([...paths].map(sizeOf));
  return all.reduce((sum, size) => sum + size, 0);
}

test('every page loads at most 300 kB of compressed script', async () => {
  const { application, service, location, specialist, booking, request: line } = names;
  const lists = [
    '/',
    '/applications',
    '/requests',
    '/bookings',
    '/webhooks',
    '/calendar-feeds',
    '/team',
    '/audit',
    '/audit/sign-ins',
    '/audit/refused',
  ];
  const schedules = ['/bookings/day', '/bookings/week', '/bookings/new', '/bookings/import'];
  const catalog = [
    '/catalog',
    '/catalog/locations',
    '/catalog/specialists',
    '/catalog/blocks',
    '/catalog/preview',
    '/catalog/transfer',
  ];
  const records = [service, location, specialist, booking, line];
  const applications = ['/applications/new', application, `${application}/keys`, `${application}/webhook`];
  const creations = ['services', 'locations', 'specialists'].map((kind) => `/catalog/${kind}/new`);
  const settings = ['/environment', '/privacy', '/privacy/customer', '/account'];
  const paths = [lists, catalog, schedules, records, applications, creations, settings].flat();
  const pages = [await open('/sign-in', {}), ...(await Promise.all(paths.map((path) => open(path))))];
  const measured = await Promise.all(pages.map(async (page) => [page.path, await scriptOf(page)] as const));
  if (process.env.SCRIPT_SIZES) console.table(Object.fromEntries(measured));
  expect(measured.filter(([, size]) => size > MAX_SCRIPT)).toEqual([]);
});

test('lists and catalog records are part of the HTML', async () => {
  const expected: [path: string, text: string][] = [
    ['/', 'Nothing needs attention'],
    ['/applications', 'Partner'],
    ['/requests', 'not_found'],
    ['/bookings', 'order-4711'],
    ['/bookings?period=past', 'No bookings in this period'],
    ['/catalog', 'Haircut'],
    ['/catalog/locations', 'Studio'],
    ['/catalog/specialists', 'Alex Example'],
    [names.service, 'Capacity'],
    [names.booking, 'order-4711'],
    [names.request, 'Copy as cURL'],
  ];
  for (const [path, text] of expected) await expectPage(path, shows(text, 'mantine-Skeleton'), [true, false]);
});

test('the title of a page names its record or its list', async () => {
  const expected: [path: string, title: string][] = [
    [names.service, 'Haircut · Services · Tenant'],
    [names.location, 'Studio · Locations · Tenant'],
    [names.specialist, 'Alex Example · Specialists · Tenant'],
    [names.booking, 'order-4711 · Bookings · Tenant'],
    [names.request, `${names.request.slice('/requests/'.length)} · Requests · Tenant`],
    ['/', 'Overview · Control Center'],
    ['/applications', 'Applications · Control Center'],
    ['/requests', 'Requests · Control Center'],
    ['/team', 'Team · Control Center'],
  ];
  for (const [path, title] of expected) await expectPage(path, (page) => page.title, `TEST · ${title}`);
});

test('a URL with invalid values shows the page as if they were not there', async () => {
  const expected: [path: string, text: string][] = [
    ['/requests?cursor=xx', 'not_found'],
    ['/requests?code=%00', 'not_found'],
    ['/requests?reference=%00', 'not_found'],
    ['/requests?period=custom&from=-271821-04-20&to=9999-01-01', 'not_found'],
    ['/bookings?cursor=0000-01-01T00:00:00.000Z_x&reference=%00', 'order-4711'],
    ['/bookings?period=dates&from=0000-01-01', 'order-4711'],
    ['/applications?search=%00', 'Partner'],
    ['/catalog?search=%00', 'Haircut'],
  ];
  for (const [path, text] of expected) await expectPage(path, shows(text, 'Could not load'), [true, false]);
});
