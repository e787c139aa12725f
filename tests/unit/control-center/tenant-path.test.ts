import { expect, test } from 'vitest';
import { signInPath } from '@/app/_components/sign-in/sign-in-path';
import { tenantIn, tenantPath } from '@/app/_components/tenant-path';

const TENANT = 'ten_01h2xcejqtf2nbrexx3vqjhp41';

test.each([
  ['/', `/t/${TENANT}`],
  ['/?period=7d', `/t/${TENANT}?period=7d`],
  ['/requests?status=4xx', `/t/${TENANT}/requests?status=4xx`],
  ['/team', `/t/${TENANT}/team`],
  ['/documents', `/t/${TENANT}/documents`],
  ['//evil.example', `/t/${TENANT}//evil.example`],
  [`/t/${TENANT}/requests`, `/t/${TENANT}/requests`],
  ['/t', '/t'],
  ['/docs', '/docs'],
  ['/docs/guides/webhooks#test', '/docs/guides/webhooks#test'],
  ['#content', '#content'],
])('the path of %s in a tenant is %s', (href, path) => {
  expect(tenantPath(TENANT, href)).toBe(path);
  expect(tenantPath(TENANT, path)).toBe(path);
});

test.each([
  [`/t/${TENANT}`, TENANT],
  [`/t/${TENANT}?x=1`, TENANT],
  [`/t/${TENANT}/requests`, TENANT],
  ['/t/%00/requests', '%00'],
  ['/t//requests', null],
  ['/t/', null],
  ['/team', null],
  ['/requests?next=/t/x', null],
  ['', null],
])('the path %s names the tenant %s', (path, tenant) => {
  expect(tenantIn(path)).toBe(tenant);
});

test('the sign-in page opens the requested path afterward', () => {
  expect(signInPath('/')).toBe('/sign-in');
  expect(signInPath(`/t/${TENANT}?period=7d`)).toBe(`/sign-in?next=%2Ft%2F${TENANT}%3Fperiod%3D7d`);
});
