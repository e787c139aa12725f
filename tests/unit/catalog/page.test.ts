import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from '@/lib/booking/catalog/list';

const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 60 });

function records(of: string[]): { id: string }[] {
  return [...of].sort((a, b) => (a < b ? -1 : 1)).map((id) => ({ id }));
}

test('all pages together contain each record once, for any limit', () => {
  fc.assert(
    fc.property(ids, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (of, limits) => {
      const all = records(of);
      const seen: { id: string }[] = [];
      let after: string | null = null;
      let pages = 0;
      do {
        const limit = limits[pages % limits.length] ?? 1;
        const page: ReturnType<typeof pageOf<{ id: string }>> = pageOf(all, after, limit);
        expect(page.records.length).toBeLessThanOrEqual(limit);
        expect(page.last === null || page.records.length === limit).toBe(true);
        seen.push(...page.records);
        after = page.last;
        pages += 1;
      } while (after !== null);
      expect(seen).toEqual(all);
    }),
  );
});

test('a page continues after its cursor, even if that record was deleted or others were added', () => {
  fc.assert(
    fc.property(ids, fc.string({ maxLength: 4 }), fc.integer({ min: 1, max: 50 }), (of, after, limit) => {
      const all = records(of);
      expect(pageOf(all, after, limit).records).toEqual(all.filter(({ id }) => id > after).slice(0, limit));
    }),
  );
});

test('the page with the last record has no next page', () => {
  const all = records(['a', 'b', 'c']);
  expect(pageOf(all, null, 3).last).toBeNull();
  expect(pageOf(all, null, 2).last).toBe('b');
  expect(pageOf(all, 'c', 2)).toEqual({ records: [], last: null });
  expect(pageOf([], null, 1)).toEqual({ records: [], last: null });
});
