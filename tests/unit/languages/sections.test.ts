import { expect, test } from 'vitest';
import {
  elsewhereTexts,
  keptTexts,
  removedTexts,
  toldText,
  toRemove,
} from '@/app/t/[tenant]/privacy/customer/_components/texts';
import { changeText, leadText, partText } from '@/app/t/[tenant]/statistics/_components/format';
import { formatsOf } from '@/lib/platform/text/formats';
import { LANGUAGES } from '@/lib/platform/text/languages';
import { translatorFor } from '@/tests/support/messages';

test.each([
  [
    'en',
    [
      '+12% (before: 1,000)',
      '-50% (before: 2)',
      '0% (before: 3)',
      'before: 0',
      '5 h',
      '3 days',
      '–',
      '1 (13%)',
      '0 (–)',
    ],
  ],
  [
    'de',
    [
      '+12 % (vorher: 1.000)',
      '-50 % (vorher: 2)',
      '0 % (vorher: 3)',
      'vorher: 0',
      '5 Std.',
      '3 Tage',
      '–',
      '1 (13 %)',
      '0 (–)',
    ],
  ],
  [
    'fr',
    [
      '+12 % (avant : 1 000)',
      '-50 % (avant : 2)',
      '0 % (avant : 3)',
      'avant : 0',
      '5 h',
      '3 jours',
      '–',
      '1 (13 %)',
      '0 (–)',
    ],
  ],
  [
    'es',
    [
      '+12 % (antes: 1000)',
      '-50 % (antes: 2)',
      '0 % (antes: 3)',
      'antes: 0',
      '5 h',
      '3 días',
      '–',
      '1 (13 %)',
      '0 (–)',
    ],
  ],
] as const)('states the figures of the statistics in %s', (language, texts) => {
  const [t, format] = [translatorFor(language, 'statistics.figures'), formatsOf(language)];
  const stated = [
    changeText(t, format, 1_120, 1_000),
    changeText(t, format, 1, 2),
    changeText(t, format, 3, 3),
    changeText(t, format, 7, 0),
    leadText(t, format, 5),
    leadText(t, format, 71),
    leadText(t, format, null),
    partText(t, format, 1, 8),
    partText(t, format, 0, 0),
  ];
  expect(stated.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(texts);
});

const COUNTS = {
  contacts: 1,
  emails: 2,
  languages: 0,
  notes: 0,
  metadata: 0,
  phone_hashes: 0,
  name_hashes: 0,
  stored_responses: 1_000,
  webhook_answers: 0,
  events: 4,
};

test('states in every language what an erasure has removed, and whom it told', () => {
  const told = { application: 'Agenda', bookings: 1, webhooks: 0, delivered: 0 };
  const english = translatorFor('en', 'privacy');
  expect(removedTexts(english, COUNTS)).toEqual([
    '1 contact (name and phone number)',
    '2 email addresses',
    '1,000 stored responses to partners',
  ]);
  expect(toldText(english, told)).toBe(
    'Agenda: 1 event in its event list. Its webhook endpoint does not receive booking.anonymized.',
  );
  expect(toldText(english, { ...told, webhooks: 2, delivered: 1 })).toBe(
    'Agenda: 1 event in its event list, 1 of 2 webhooks delivered.',
  );
  for (const language of LANGUAGES) {
    const t = translatorFor(language, 'privacy');
    expect(removedTexts(t, COUNTS)).toHaveLength(3);
    expect([...toRemove(t), ...keptTexts(t), ...elsewhereTexts(t)].every((text) => text.length > 10)).toBe(true);
  }
});
