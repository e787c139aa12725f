import { expect, test } from 'vitest';
import { BUSINESS, check, exported, textOf } from './catalog-documents';
import { done, makeCatalog } from './catalog-records';

/** Returns a document, made so long with spaces that the server processes it in a separate thread. */
const large = (document: unknown) => textOf(document).padEnd(300_000);

const WRONG = { ...BUSINESS, format: 'other', services: [{ id: 'a' }] };

// Each large document starts a thread, which takes a second of processor time.

test('the import of a large document gets the same results as that of a small one', async () => {
  const { owner, service } = await makeCatalog();
  const { basis } = (await check(owner, BUSINESS)).plan ?? {};
  const off = { id: service.id, expected_version: 1, published: false };
  await done(owner.mutate('catalog.services.set_published', off));
  const stale = await owner.mutate('catalog.transfer.import', { text: large(BUSINESS), basis });
  expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  const refused = await owner.mutate('catalog.transfer.import', { text: large(WRONG), basis });
  const { error } = await owner.mutate('catalog.transfer.import', { text: textOf(WRONG), basis });
  expect(refused).toMatchObject({ status: 400, error });
  const { plan } = await check(owner, BUSINESS);
  await done(owner.mutate('catalog.transfer.import', { text: large(BUSINESS), basis: plan?.basis }));
  expect((await check(owner, await exported(owner))).plan?.lines).toEqual([]);
});

test('refuses large documents of a tenant while three of its own are checked, but not those of another, with the results of small ones', async () => {
  const [{ owner }, other] = [await makeCatalog(), await makeCatalog()];
  const [small, wrong] = [await check(owner, BUSINESS), await check(other.owner, WRONG)];
  expect(Math.min(small.plan?.lines.length ?? 0, wrong.issues.length)).toBeGreaterThan(0);
  const text = large(BUSINESS);
  const flood = Promise.all(Array.from({ length: 8 }, () => owner.mutate('catalog.transfer.check', { text })));
  expect(await check(other.owner, large(WRONG))).toEqual(wrong);
  const replies = await flood;
  const checked = replies.filter(({ status }) => status === 200);
  expect(checked.length).toBeGreaterThanOrEqual(3);
  for (const { data } of checked) expect(data).toEqual(small);
  const refused = replies.find(({ status }) => status !== 200);
  expect(refused).toMatchObject({ status: 503, error: { code: 'service_unavailable' } });
});
