import { expect, test } from 'vitest';
import { timeOff } from '@/lib/booking/catalog/edit/hours';
import { documentSchema } from '@/lib/booking/catalog/transfer/document';

test('the schema of a document is built once per set of languages', () => {
  const german = documentSchema({ locales: ['en', 'de'], defaultLocale: 'de' });
  expect(documentSchema({ locales: ['en', 'de'], defaultLocale: 'de' })).toBe(german);
  for (const other of [
    { locales: ['en', 'de'], defaultLocale: 'en' },
    { locales: ['de'], defaultLocale: 'de' },
  ])
    expect(documentSchema(other)).not.toBe(german);
});

test('time off lasts at least a minute', () => {
  const issuesOf = (to: string) => timeOff.safeParse([{ from: '2026-12-24T10:00', to }]).error?.issues;
  expect(issuesOf('2026-12-24T10:01')).toBeUndefined();
  for (const to of ['2026-12-24T10:00', '2026-12-24T09:59'])
    expect(issuesOf(to)).toMatchObject([{ path: [0, 'to'], message: 'must be after the start' }]);
});
