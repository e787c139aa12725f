import { expect, test } from 'vitest';
import { CURRENCIES } from '@/lib/contract/currencies';
import { db } from '@/lib/platform/db';
import { makeService, makeTenant } from '@/tests/support/factories';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';
import { apply, BUSINESS, check, exported } from './catalog-documents';
import { auditOf, done, editable, makeCatalog, type Saved, SERVICE } from './catalog-records';

type Price = { amount: number; currency: string };
type Page = { data: { services: { price: Price | null }[]; next_cursor: string | null } };

const byCurrency = (a: Price, b: Price) => (a.currency < b.currency ? -1 : 1);
const PRICES: Price[] = CURRENCIES.map(({ code }, i) => ({ amount: 1_234_567 + i, currency: code }));

test('imports, exports, audits, and serves a price in every currency unchanged', async () => {
  const { owner, client, tenant } = await makeCatalog();
  const services = PRICES.map((price) => ({ ...SERVICE, id: `in-${price.currency}`, published: true, price }));
  const [specialist] = BUSINESS.specialists;
  const [workplace] = specialist?.workplaces ?? [];
  const workplaces = [{ ...workplace, service_ids: services.map(({ id }) => id) }];
  await apply(owner, { ...BUSINESS, services, specialists: [{ ...specialist, workplaces }] });

  const document = await exported(owner);
  const priced = document.services.filter(({ published }) => published);
  expect(priced.map(({ price }) => price as Price).sort(byCurrency)).toEqual(PRICES);
  expect((await check(owner, document)).plan).toMatchObject({ lines: [] });

  const served = async () => {
    const prices: Price[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = (await client(withQuery(CATALOG, { limit: 50, ...(cursor && { cursor }) }))) as Page;
      prices.push(...page.data.services.flatMap(({ price }) => price ?? []));
      cursor = page.data.next_cursor;
    }
    return prices.sort(byCurrency);
  };
  expect(await until(served, ({ length }) => length === PRICES.length)).toEqual(PRICES);

  const created = await db().auditLog.findMany({ where: { tenantId: tenant.id, action: 'service.created' } });
  const audited = created.map(({ after }) => (after as { price: Price }).price);
  expect(audited.sort(byCurrency)).toEqual(PRICES);
});

const REFUSED = ['ABC', 'ZZZ', 'DEM', 'XXX', 'XTS', 'XAU', 'XDR', 'CHE', 'CLF', 'BGN', 'ANG', 'eur', 'EURO', ''];

test('refuses a price in another code in an import, in a new service, and in an edit', async () => {
  const { owner, service, tenant } = await makeCatalog();
  const message = 'must be the ISO 4217 code of a current currency, such as EUR';
  const { version, input } = await editable(owner, 'services', service.id);
  for (const currency of REFUSED) {
    const wrong = { ...SERVICE, price: { amount: 900, currency } };
    const { issues, plan } = await check(owner, { ...BUSINESS, services: [{ ...wrong, id: 'a' }], specialists: [] });
    const issue = { path: '$.services[0].price.currency', message };
    expect({ currency, issues, plan }).toEqual({ currency, issues: [issue], plan: null });
    const fields = [{ path: 'price.currency', message }];
    const refusal = { status: 400, error: { code: 'invalid_request', fields } };
    expect(await owner.mutate('catalog.services.create', { record: wrong }), currency).toMatchObject(refusal);
    const change = { id: service.id, expected_version: version, record: { ...input, price: wrong.price } };
    expect(await owner.mutate('catalog.services.update', change), currency).toMatchObject(refusal);
  }
  expect(await db().service.count({ where: { tenantId: tenant.id } })).toBe(1);
});

test('a stored price in another code fails no list, needs attention, and can be corrected', async () => {
  const { owner, client, service, tenant } = await makeCatalog({
    service: { priceAmount: 900_000, priceCurrency: 'ABC' },
  });
  await makeService(tenant.id, { priceAmount: 1_500, priceCurrency: 'BGN', name: { en: 'Old' } });
  await makeService(tenant.id, { priceAmount: 1_500, priceCurrency: 'EUR' });
  const attention = () =>
    done<{ invalid_prices: { name: string; currency: string }[] }>(owner.query('overview.attention'));
  const found = (await attention()).invalid_prices.map(({ name, currency }) => `${name} ${currency}`);
  expect(found.sort()).toEqual(['Haircut ABC', 'Old BGN']);
  const { data } = (await client(CATALOG)) as Page;
  expect(data.services.map(({ price }) => price)).toEqual([{ amount: 900_000, currency: 'ABC' }]);
  const list = await done<{ records: object[] }>(owner.query('catalog.services.list', {}));
  expect(list.records).toHaveLength(3);

  const ids = [service.id];
  expect(await owner.mutate('catalog.bulk.set_published', { kind: 'service', ids, published: false })).toMatchObject({
    status: 200,
    data: { changed: 1 },
  });
  const { version, input } = await editable(owner, 'services', service.id);
  const record = { ...input, price: { amount: 900_000, currency: 'HUF' } };
  await done<Saved>(owner.mutate('catalog.services.update', { id: service.id, expected_version: version, record }));
  expect((await attention()).invalid_prices).toMatchObject([{ name: 'Old' }]);
  const other = await makeMember((await makeTenant()).id);
  expect((await done<{ invalid_prices: [] }>(other.query('overview.attention'))).invalid_prices).toEqual([]);
  expect((await auditOf(service.id)).at(-1)).toMatchObject({
    before: { price: { amount: 900_000, currency: 'ABC' } },
    after: { price: { amount: 900_000, currency: 'HUF' } },
  });
});
