import { expect, test } from 'vitest';
import { DEPRECATIONS } from '@/lib/contract/deprecations';
import { openApiDocument } from '@/lib/contract/openapi/document';
import { listCatalog, sendTestEvent } from '@/lib/contract/operations';
import { partnerRoute, partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { deprecationHeaders } from '@/lib/http/partner-api/response';
import { freshAddress } from '@/tests/support/client';

const TABLE = {
  listCatalog: { deprecated: '2026-09-14T09:00:00Z', sunset: '2027-09-14T09:00:00Z' },
  sendTestEvent: { deprecated: '2026-09-14T09:00:00Z', sunset: null },
};
const CATALOG = { deprecation: '@1789376400', sunset: 'Tue, 14 Sep 2027 09:00:00 GMT' };

const ask = async (route: ReturnType<typeof partnerRoute>, method: string, path: string) => {
  const incoming = { begun: 0, headers: {}, method, path, search: '', address: freshAddress() };
  const { status, headers } = await route.respond({ ...incoming, readBytes: async () => new Uint8Array() });
  return { status, deprecation: headers.Deprecation, sunset: headers.Sunset, link: headers.Link };
};

test('an operation in the table states it in every response, also in a refusal; the document marks it', async () => {
  const none = async () => ({ data: '{}' });
  const link = expect.stringMatching(/^<.+\/docs\/changelog>; rel="deprecation"; type="text\/html"$/);
  expect(await ask(partnerRoute(listCatalog, none, TABLE), 'GET', '/catalog')).toEqual({
    status: 401,
    ...CATALOG,
    link,
  });
  expect(await ask(partnerWriteRoute(sendTestEvent, none, TABLE), 'POST', '/webhooks/test-events')).toEqual({
    ...{ status: 401, deprecation: '@1789376400', sunset: undefined, link },
  });
  expect(await ask(partnerRoute(listCatalog, none), 'GET', '/catalog')).toEqual({ status: 401 });
  const operation = (document: ReturnType<typeof openApiDocument>) => document.paths['/catalog']?.get;
  expect(operation(openApiDocument('http://localhost', 'TEST', TABLE))).toMatchObject({ deprecated: true });
  expect(operation(openApiDocument('http://localhost'))).not.toHaveProperty('deprecated');
});

test('no operation is deprecated', () => {
  expect(DEPRECATIONS).toEqual({});
  expect(deprecationHeaders('listCatalog', 'http://localhost', DEPRECATIONS)).toEqual({});
});
