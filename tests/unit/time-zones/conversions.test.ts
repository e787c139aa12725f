import { expect, test } from 'vitest';
import { conversionsIn } from '@/scripts/check/zone-conversions';

test.each([
  'sql`(b.starts_at AT TIME ZONE b.time_zone)::date`',
  "sql`b.starts_at at time\n zone 'UTC'`",
  'sql`timezone(b.time_zone, b.starts_at)`',
  "new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(now)",
  "new Intl.DateTimeFormat('en', {\n  timeZone: booking.time_zone,\n})",
  "now.toLocaleString('en', { timeZone: zone })",
  "Intl.supportedValuesOf('timeZone')",
])('refuses %j', (code) => {
  expect(conversionsIn('lib/x.ts', `const one = 1;\n${code};`)).toHaveLength(1);
});

test.each([
  "new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })",
  'Intl.DateTimeFormat().resolvedOptions().timeZone',
  '// No AT TIME ZONE: PostgreSQL has other rules.',
  'const { timeZone } = location;',
])('accepts %j', (code) => {
  expect(conversionsIn('lib/x.ts', code)).toEqual([]);
});
