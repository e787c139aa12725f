import { request } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import { makeDesk } from '@/tests/support/bookings';
import { makePerson, signInOverHttp } from '@/tests/support/control-center';
import { requestIdAt, writeLines } from '@/tests/support/request-lines';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

type Page = { html: string; title: string };

let cookie: string;
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
  const { email, password } = await makePerson(tenant.id);
  cookie = (await signInOverHttp(origin, email, password)) ?? '';
});

async function open(path: string): Promise<Page> {
  const { statusCode, body } = await request(origin + path, { headers: { cookie } });
  const html = await body.text();
  expect([path, statusCode]).toEqual([path, 200]);
  return { html, title: [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => text).join(' | ') };
}

/** Returns the part of the HTML that a browser shows without scripts. */
function shownBy({ html }: Page): string {
  return html.slice(html.indexOf('<main'), html.indexOf('</main>')).replace(/<!--.*?-->/g, '');
}

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
  ];
  for (const [path, text] of expected) {
    const shown = shownBy(await open(path));
    expect([path, shown.includes(text), shown.includes('mantine-Skeleton')]).toEqual([path, true, false]);
  }
});

test('the title of a record’s page starts with its name', async () => {
  const titles = await Promise.all(
    [names.service, names.location, names.specialist, names.booking, names.request].map(
      async (path) => (await open(path)).title,
    ),
  );
  expect(titles).toEqual([
    'Haircut · Services · Tenant',
    'Studio · Locations · Tenant',
    'Alex Example · Specialists · Tenant',
    'order-4711 · Bookings · Tenant',
    `${names.request.slice('/requests/'.length)} · Requests · Tenant`,
  ]);
});
