import { beforeAll, expect, test } from 'vitest';
import { listCatalog } from '@/lib/contract/operations';
import { type Client, createClient } from '@/tests/support/client';
import {
  makeApplication,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

let client: Client;

beforeAll(async () => {
  const tenant = await makeTenant({ defaultLocale: 'fr', locales: ['en', 'de', 'fr', 'pt-BR'] });
  const name = { en: 'Haircut', de: 'Haarschnitt', fr: 'Coupe', 'pt-BR': 'Corte' };
  const service = await makeService(tenant.id, {
    name,
    // The description is deliberately not translated into every language.
    description: { fr: 'Avec shampooing', de: 'Mit Waschen' },
    category: { de: 'Haare' },
  });
  const place = await makeLocation(tenant.id, { name: { en: 'Salon', fr: 'Le Salon' } });
  await offer(tenant.id, [await makeSpecialist(tenant.id)], [service], [place]);
  const { key } = await makeApplication(tenant.id);
  client = createClient({ origin: sharedServer().origin, key });
});

const NAMES: Record<string, string> = { en: 'Haircut', de: 'Haarschnitt', fr: 'Coupe', 'pt-BR': 'Corte' };

/** The languages of the texts in a response, by the requested language. */
const CONTENT: Record<string, string> = { en: 'en, de, fr', de: 'de, fr', fr: 'fr, de', 'pt-BR': 'pt-BR, de, fr' };

async function expectLanguage(language: string, parameters: Record<string, string>, accept: string | undefined) {
  const headers: Record<string, string> = accept === undefined ? {} : { 'accept-language': accept };
  const reply = await client(withQuery(CATALOG, parameters), { operation: listCatalog, headers });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-language']).toBe(CONTENT[language]);
  expect(reply.data.services[0]?.name).toBe(NAMES[language]);
}

test.for([
  ['en', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-CH', 'de'],
  ['de-u-co-phonebk', 'de'],
  ['pt-BR', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['de_DE', 'de'],
  ['en_US', 'en'],
  ['pt_BR', 'pt-BR'],
  ['fr_CA', 'fr'],
  ['zh_Hant_TW', 'fr'],
  ['pt', 'pt-BR'],
  ['ja', 'fr'],
  ['zh-Hant-TW', 'fr'],
  ['de-abc-CH', 'de'],
  ['zh-yue-HK', 'fr'],
  ['i-klingon', 'fr'],
  ['x-private', 'fr'],
  ['german', 'fr'],
  ['xx', 'fr'],
] as const)('resolves locale=%s to %s', async ([locale, language]) => {
  await expectLanguage(language, { locale }, undefined);
});

test.for([
  ['en', 'en'],
  ['de-AT,en;q=0.5', 'de'],
  ['en;q=0.2, de;q=0.9', 'de'],
  ['ja, de;q=0.1', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['*', 'fr'],
  ['ja', 'fr'],
  ['', 'fr'],
  ['!!!, de', 'de'],
  ['en_US', 'en'],
  ['ja_JP, de_DE;q=0.5', 'de'],
  [`${'x,'.repeat(5000)}de`, 'fr'],
] as const)('resolves Accept-Language %j to %s', async ([accept, language]) => {
  await expectLanguage(language, {}, accept);
});

test('defaults to the default language of the tenant', async () => {
  await expectLanguage('fr', {}, undefined);
});

test('prefers the parameter over Accept-Language, even if it names an unsupported language', async () => {
  await expectLanguage('en', { locale: 'en' }, 'de');
  await expectLanguage('fr', { locale: 'ja' }, 'de');
});

test('falls back to the default language and then to any available one for a missing translation', async () => {
  const { data } = await client(`${CATALOG}?locale=en`, { operation: listCatalog });
  expect(data.services[0]).toMatchObject({ name: 'Haircut', description: 'Avec shampooing', category: 'Haare' });
  const portuguese = await client(`${CATALOG}?locale=pt-BR`, { operation: listCatalog });
  expect(portuguese.data.locations[0]?.name).toBe('Le Salon');
});

test('states only the languages of the texts on the page', async () => {
  const tenant = await makeTenant({ defaultLocale: 'de', locales: ['de', 'it'] });
  const [translated, german] = [
    await makeService(tenant.id, { name: { de: 'Schnitt', it: 'Taglio' } }),
    await makeService(tenant.id, { name: { de: 'Farbe' } }),
  ];
  const place = await makeLocation(tenant.id, { name: { de: 'Salon', it: 'Salone' } });
  const far = await makeLocation(tenant.id, { name: { de: 'Fern' } });
  const specialists = [await makeSpecialist(tenant.id)];
  await offer(tenant.id, specialists, [translated], [place]);
  await offer(tenant.id, specialists, [german], [far]);
  const { key } = await makeApplication(tenant.id);
  const italian = createClient({ origin: sharedServer().origin, key });
  const page = async (cursor: string | null) => {
    const query = { locale: 'it', limit: 1, ...(cursor !== null && { cursor }) };
    const { data, headers } = await italian(withQuery(CATALOG, query), { operation: listCatalog });
    return { next: data.next_cursor, shown: [data.services[0]?.name, headers['content-language']] };
  };
  const first = await page(null);
  const languages = [first.shown, (await page(first.next)).shown];
  expect(languages).toEqual([
    // The first page has every location.
    ['Taglio', 'it, de'],
    ['Farbe', 'de'],
  ]);
  const { key: other } = await makeApplication((await makeTenant({ defaultLocale: 'de', locales: ['de', 'it'] })).id);
  const empty = await createClient({ origin: sharedServer().origin, key: other })(`${CATALOG}?locale=it`);
  expect(empty.headers['content-language']).toBe('it');
});
