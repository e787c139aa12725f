import { expect, test } from 'vitest';
import { dateText } from '@/app/t/[tenant]/bookings/_components/display/format';
import { refusedText } from '@/app/t/[tenant]/requests/_components/refused-text';
import { formatsOf } from '@/lib/platform/text/formats';
import type { Language } from '@/lib/platform/text/languages';
import { translatorFor } from '@/tests/support/messages';

const NONE = { service: null, location: null, specialist: null, date: null, start_time: null };
const ALL = {
  service: { id: 'svc_1', name: 'Haircut' },
  location: { id: 'loc_1', name: 'Salon Mitte', time_zone: 'Europe/Berlin' },
  specialist: { id: 'spc_1', name: 'Ana' },
  date: '2026-11-24',
  start_time: '10:00',
};
const DAY = dateText(formatsOf('en'), '2026-11-24');

type Refused = Parameters<typeof refusedText>[2];

const textOf = (refused: Refused, reference: string | null, language: Language = 'en') =>
  refusedText(translatorFor(language, 'requests.refused'), formatsOf(language), refused, reference);

test('states what was refused, with names or else IDs, without what is unknown', () => {
  expect(textOf({ ...ALL, specialist: null }, 'INV-1')).toBe(
    `Haircut at Salon Mitte on ${DAY} at 10:00 (Europe/Berlin), external reference INV-1`,
  );
  expect(textOf(ALL, null)).toBe(`Haircut with Ana at Salon Mitte on ${DAY} at 10:00 (Europe/Berlin)`);
  const unnamed = { id: 'loc_9', name: null, time_zone: null };
  expect(textOf({ ...ALL, service: { id: 'svc_9', name: null }, location: unnamed, specialist: null }, null)).toBe(
    `svc_9 at loc_9 on ${DAY} at 10:00`,
  );
  expect(textOf({ ...NONE, date: '2026-11-24' }, 'INV-1')).toBe(`On ${DAY}, external reference INV-1`);
  expect(textOf(null, 'INV-1')).toBe('External reference INV-1');
  // In the browser, an empty message would be its key.
  const shown = () => 'requests.refused.what';
  expect(refusedText(shown as unknown as Parameters<typeof refusedText>[0], formatsOf('en'), NONE, null)).toBeNull();
  expect(textOf({ ...ALL, service: null }, 'INV-1', 'de')).toBe(
    'Bei Ana am Standort Salon Mitte am Di., 24. Nov. 2026 um 10:00 (Europe/Berlin), externe Referenz INV-1',
  );
});
