import { expect, test } from 'vitest';
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
