import { expect, test } from 'vitest';
import { countChanges } from '@/app/t/[tenant]/catalog/_components/count-changes';

const monday = { weekday: 1, opens: '09:00', closes: '17:00' };
const tuesday = { ...monday, weekday: 2 };
const studio = {
  name: { en: 'Studio', de: 'Studio' },
  address: { line1: '1 Example Street', city: 'Bonn' },
  phone: null as string | null,
  hours: [monday, tuesday],
};
const changesTo = (change: object) => countChanges(studio, { ...studio, ...change });

test('each changed field counts, also those of one address and of one name', () => {
  expect(changesTo({})).toBe(0);
  expect(changesTo({ address: { line1: '2 Example Street', city: 'Berlin' } })).toBe(2);
  expect(changesTo({ name: { en: 'Loft', de: 'Loft', fr: 'Loft' }, phone: '+49 30 5550 1234' })).toBe(4);
});

test('added, removed, and edited entries of a list count, whatever their order', () => {
  const edited = { ...monday, closes: '18:00' };
  expect(changesTo({ hours: [tuesday, edited] })).toBe(1);
  expect(changesTo({ hours: [edited, { ...tuesday, closes: '18:00' }] })).toBe(2);
  expect(changesTo({ hours: [] })).toBe(2);
  expect(changesTo({ hours: [tuesday, { ...monday, weekday: 6 }] })).toBe(2);
  expect(changesTo({ hours: [monday, { ...monday, opens: '18:00', closes: '20:00' }, tuesday] })).toBe(1);
  const place = { location_id: 'loc_1', service_ids: ['a', 'b'], hours: [monday] };
  const changed = { ...place, service_ids: ['a', 'c'], hours: [edited] };
  expect(countChanges({ workplaces: [place] }, { workplaces: [changed] })).toBe(3);
});
