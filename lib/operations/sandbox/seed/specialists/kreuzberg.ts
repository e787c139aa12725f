import { MONDAY_TO_FRIDAY, MONDAY_TO_SATURDAY, text, weekly } from '../types';
import { SKILLS } from './skills';
import type { SpecialistSeed } from './specialist';

/** The specialists who work in Kreuzberg. Some of them also work in Mitte. */
export const KREUZBERG_TEAM: readonly SpecialistSeed[] = [
  {
    // This specialist works past midnight on Friday and Saturday.
    number: 9,
    displayName: 'Timo Kopie',
    title: text('Late-night barber', 'Nachtbarbier', 'Barbier de nuit'),
    description: text('Haircuts until 2 a.m.', 'Schneidet bis zwei.', 'Coupe jusqu’à deux heures.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'kreuzberg',
        services: [...SKILLS.cuts, ...SKILLS.barber],
        hours: [
          ...weekly([3, 4], '13:00', '22:00'),
          ...weekly([5, 6], '18:00', '02:00'),
          ...weekly([7], '12:00', '20:00'),
        ],
      },
    ],
    breaks: [...weekly([3, 4], '18:00', '18:30'), ...weekly([5, 6], '22:00', '22:30')],
    timeOff: [{ from: { week: 4, weekday: 6, time: '22:30' }, to: { week: 4, weekday: 7, time: '14:00' } }],
  },
  {
    number: 10,
    displayName: 'Samira Duplikat',
    title: text('Massage therapist', 'Masseurin', 'Masseuse'),
    description: text('For people who stay up late.', 'Für alle, die spät schlafen.', 'Pour les couche-tard.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'kreuzberg',
        services: [...SKILLS.massage, ...SKILLS.gentleMassage, 'night-massage'],
        hours: [...weekly([1, 2, 4], '13:00', '22:00'), ...weekly([5, 6], '17:00', '01:30')],
        exceptions: [{ week: 2, weekday: 6, hours: [{ opens: '14:00', closes: '22:00' }], note: 'Early shift' }],
      },
    ],
    breaks: [...weekly([1, 2, 4], '17:00', '17:30'), ...weekly([5, 6], '21:00', '21:30')],
    timeOff: [],
  },
  {
    // This specialist works at two locations, but on different weekdays.
    number: 11,
    displayName: 'Felix Attrappe',
    title: text('Yoga teacher', 'Yogalehrer', 'Professeur de yoga'),
    description: text('Breath before posture.', 'Erst der Atem, dann die Haltung.', 'Le souffle avant la posture.'),
    imageUrl: null,
    workplaces: [
      { location: 'mitte', services: SKILLS.yoga, hours: weekly([1, 2, 3], '15:00', '20:00') },
      {
        location: 'kreuzberg',
        services: [...SKILLS.yoga, ...SKILLS.health],
        hours: [...weekly([4], '10:00', '18:00'), ...weekly([5, 6, 7], '12:00', '19:00')],
        exceptions: [
          { week: 3, weekday: 7, hours: [{ opens: '12:00', closes: '15:00' }], note: 'Workshop from 3 p.m.' },
        ],
      },
    ],
    breaks: weekly([4, 5, 6, 7], '14:30', '15:00'),
    timeOff: [{ from: { week: 2, weekday: 1, time: '00:00' }, to: { week: 2, weekday: 2, time: '00:00' } }],
  },
  {
    number: 12,
    displayName: 'Ines Platzhalter',
    title: text('Nail artist', 'Naildesignerin', 'Prothésiste ongulaire'),
    description: text('Detailed nail designs.', 'Kleine Leinwände.', 'De toutes petites toiles.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'kreuzberg',
        services: [...SKILLS.nails, ...SKILLS.eyes, 'facial-express'],
        hours: [...weekly([1, 2, 3, 4], '10:00', '18:00'), ...weekly([5], '12:00', '20:00')],
      },
    ],
    breaks: [...weekly([1, 2, 3, 4], '13:00', '13:45'), ...weekly([5], '15:30', '16:00')],
    timeOff: [],
  },
  {
    // On Thursdays, this specialist works in Mitte in the morning and in Kreuzberg in the evening.
    number: 13,
    displayName: 'Clara Musterfrau',
    title: text('Nutritionist', 'Ernährungsberaterin', 'Nutritionniste'),
    description: text('No forbidden foods.', 'Ohne Verbote.', 'Sans aliments interdits.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.nutrition, ...SKILLS.balance],
        hours: [...weekly([1, 2, 3], '09:00', '16:00'), ...weekly([4], '08:30', '12:30')],
      },
      {
        location: 'kreuzberg',
        services: [...SKILLS.nutrition, ...SKILLS.balance],
        hours: [...weekly([4], '16:00', '21:00'), ...weekly([5], '12:00', '18:00')],
      },
    ],
    breaks: weekly([1, 2, 3, 5], '12:30', '13:15'),
    timeOff: [{ from: { week: 3, weekday: 1, time: '00:00' }, to: { week: 3, weekday: 2, time: '12:00' } }],
  },
  {
    number: 24,
    displayName: 'Viktor Blindtext',
    title: text('Massage therapist', 'Masseur', 'Masseur'),
    description: text('Starts next month.', 'Fängt nächsten Monat an.', 'Commence le mois prochain.'),
    imageUrl: null,
    published: false,
    workplaces: [
      { location: 'mitte', services: SKILLS.massage, hours: weekly(MONDAY_TO_SATURDAY, '10:00', '18:00') },
      { location: 'kreuzberg', services: ['night-massage'], hours: weekly([5], '20:00', '02:00') },
    ],
    breaks: weekly(MONDAY_TO_FRIDAY, '14:00', '14:30'),
    timeOff: [],
  },
];
