import { expect, test } from 'vitest';
import { exportName } from '@/lib/control-center/exports/file-name';

test('the name of an exported file has the date of the given time zone', () => {
  const now = new Date('2026-12-24T23:30:00Z');
  expect(exportName('requests', now, 'UTC')).toBe('requests-2026-12-24.csv');
  expect(exportName('audit', now, 'Europe/Berlin')).toBe('audit-2026-12-25.csv');
});
