import { expect, test } from 'vitest';
import { apply, BUSINESS, check, exported, textOf } from './catalog-documents';
import { done, makeCatalog } from './catalog-records';

/** Returns a document, made so long with spaces that the server processes it in a separate thread. */
const large = (document: unknown) => textOf(document).padEnd(300_000);

test('a large document gets the same results as a small one', async () => {
  const { owner, service } = await makeCatalog();
  const small = await check(owner, BUSINESS);
  expect(small.plan?.lines.length).toBeGreaterThan(0);
  expect(await check(owner, large(BUSINESS))).toEqual(small);
  const wrong = { ...BUSINESS, format: 'other', services: [{ id: 'a' }] };
  expect(await check(owner, large(wrong))).toEqual(await check(owner, wrong));
  const { plan } = await check(owner, large(BUSINESS));
  const off = { id: service.id, expected_version: 1, published: false };
  await done(owner.mutate('catalog.services.set_published', off));
  const stale = await owner.mutate('catalog.transfer.import', { text: large(BUSINESS), basis: plan?.basis });
  expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  const refused = await owner.mutate('catalog.transfer.import', { text: large(wrong), basis: plan?.basis });
  const { error } = await owner.mutate('catalog.transfer.import', { text: textOf(wrong), basis: plan?.basis });
  expect(refused).toMatchObject({ status: 400, error });
  await apply(owner, large(BUSINESS));
  expect((await check(owner, large(await exported(owner)))).plan?.lines).toEqual([]);
});

test('refuses large documents of a tenant while three of its own are imported, but not those of another', async () => {
  const [{ owner }, other] = [await makeCatalog(), await makeCatalog()];
  const text = large(BUSINESS);
  const flood = Promise.all(Array.from({ length: 8 }, () => owner.mutate('catalog.transfer.check', { text })));
  expect((await other.owner.mutate('catalog.transfer.check', { text })).status).toBe(200);
  const replies = await flood;
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
  const refused = replies.find(({ status }) => status !== 200);
  expect(refused).toMatchObject({ status: 503, error: { code: 'service_unavailable' } });
});
