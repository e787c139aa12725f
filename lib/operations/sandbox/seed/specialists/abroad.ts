import { EVERY_DAY, MONDAY_TO_FRIDAY, MONDAY_TO_SATURDAY, text, weekly } from '../types';
import { SKILLS } from './skills';
import type { SpecialistSeed } from './specialist';

export const TEAMS_ABROAD: readonly SpecialistSeed[] = [
  {
    number: 14,
    displayName: 'Grace Sampleton',
    title: text('Physiotherapist', 'Physiotherapeutin', 'Kinésithérapeute'),
    description: text('For office workers and runners.', 'Vom Schreibtisch zum Marathon.', 'Du bureau au marathon.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'brooklyn',
        services: [...SKILLS.physio, ...SKILLS.sportPhysio, ...SKILLS.finePhysio],
        hours: weekly(MONDAY_TO_FRIDAY, '07:00', '16:00'),
      },
    ],
    breaks: weekly(MONDAY_TO_FRIDAY, '11:30', '12:15'),
    timeOff: [{ from: { week: 4, weekday: 3, time: '00:00' }, to: { week: 4, weekday: 5, time: '11:30' } }],
  },
  {
    number: 15,
    displayName: 'Marcus Placeholder',
    title: text('Massage therapist', 'Masseur', 'Masseur'),
    description: text('Looks after athletes.', 'Betreut Sportler.', 'S’occupe des athlètes.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'brooklyn',
        services: [...SKILLS.massage, ...SKILLS.firmMassage, ...SKILLS.gentleMassage],
        hours: [...weekly([2, 3, 4, 5], '12:00', '21:00'), ...weekly([6, 7], '09:00', '17:00')],
        exceptions: [{ week: 1, weekday: 6, hours: [], note: 'At a race' }],
      },
    ],
    breaks: [...weekly([2, 3, 4, 5], '16:00', '16:30'), ...weekly([6, 7], '12:30', '13:00')],
    timeOff: [],
  },
  {
    number: 16,
    displayName: 'Dana Demorest',
    title: text('Hair stylist', 'Friseurin', 'Coiffeuse'),
    description: text('Color and cut.', 'Farbe und Schnitt.', 'Couleur et coupe.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'brooklyn',
        services: [...SKILLS.cuts, ...SKILLS.colour, ...SKILLS.occasions, ...SKILLS.scalp],
        hours: [...weekly(MONDAY_TO_FRIDAY, '10:00', '19:00'), ...weekly([6], '09:00', '15:00')],
      },
    ],
    breaks: weekly(MONDAY_TO_FRIDAY, '14:00', '14:30'),
    timeOff: [{ from: { week: 3, weekday: 2, time: '13:00' }, to: { week: 3, weekday: 2, time: '17:00' } }],
  },
  {
    number: 17,
    displayName: 'Olivia Mockford',
    title: text('Movement coach', 'Bewegungscoach', 'Coach de mouvement'),
    description: text('Group and private classes.', 'In Gruppen und einzeln.', 'En groupe ou en tête-à-tête.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'brooklyn',
        services: [...SKILLS.yoga, ...SKILLS.pilates, ...SKILLS.health, 'personal-training'],
        hours: [
          ...weekly([1, 2, 3, 4], '07:00', '13:00'),
          ...weekly([2, 4], '16:00', '20:00'),
          ...weekly([7], '09:00', '14:00'),
        ],
        exceptions: [{ week: 2, weekday: 4, hours: [{ opens: '16:00', closes: '20:00' }], note: 'Evening only' }],
      },
    ],
    breaks: weekly([1, 2, 3, 4], '10:00', '10:20'),
    timeOff: [],
  },
  {
    number: 18,
    displayName: 'Ruben Testerson',
    title: text('Wellness practitioner', 'Wellness-Therapeut', 'Praticien bien-être'),
    description: text(
      'Needles, steam and salt water.',
      'Nadeln, Dampf und Salzwasser.',
      'Aiguilles, vapeur et eau salée.',
    ),
    imageUrl: null,
    workplaces: [
      {
        location: 'brooklyn',
        services: [...SKILLS.spa, ...SKILLS.balance, 'nutrition-follow-up'],
        hours: [...weekly([1, 3, 4, 5], '11:00', '21:00'), ...weekly([6], '09:00', '17:00')],
      },
    ],
    breaks: weekly([1, 3, 4, 5], '15:00', '15:30'),
    timeOff: [{ from: { week: 5, weekday: 5, time: '00:00' }, to: { week: 6, weekday: 1, time: '00:00' } }],
  },
  {
    number: 19,
    displayName: 'Priya Namuna',
    title: text('Ayurveda therapist', 'Ayurveda-Therapeutin', 'Thérapeute ayurvédique'),
    description: text('Warm oil, warm hands.', 'Warmes Öl, warme Hände.', 'Huile chaude, mains chaudes.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'bengaluru',
        services: [...SKILLS.ayurveda, 'classic-massage-60', 'head-massage', 'foot-reflexology'],
        hours: weekly(MONDAY_TO_SATURDAY, '09:30', '19:00'),
        exceptions: [{ week: 2, weekday: 5, hours: [{ opens: '15:00', closes: '20:00' }], note: 'Afternoon only' }],
      },
    ],
    breaks: weekly(MONDAY_TO_SATURDAY, '16:45', '17:00'),
    timeOff: [],
  },
  {
    number: 20,
    displayName: 'Arjun Udaharan',
    title: text('Yoga teacher', 'Yogalehrer', 'Professeur de yoga'),
    description: null,
    imageUrl: null,
    workplaces: [
      {
        location: 'bengaluru',
        services: [...SKILLS.yoga, 'prenatal-yoga'],
        hours: weekly([1, 2, 3, 5, 6], '09:30', '20:00'),
      },
    ],
    breaks: weekly([1, 2, 3, 5, 6], '18:00', '18:30'),
    timeOff: [{ from: { week: 4, weekday: 1, time: '15:00' }, to: { week: 4, weekday: 2, time: '13:30' } }],
  },
  {
    number: 21,
    displayName: 'Kavya Pratirup',
    title: text('Physiotherapist', 'Physiotherapeutin', 'Kinésithérapeute'),
    description: text('Treats neck pain from typing.', 'Nacken vom vielen Tippen.', 'Les nuques qui tapent.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'bengaluru',
        services: [...SKILLS.physio, ...SKILLS.finePhysio, ...SKILLS.balance],
        hours: [...weekly(MONDAY_TO_FRIDAY, '09:30', '13:30'), ...weekly(MONDAY_TO_FRIDAY, '15:00', '18:30')],
      },
    ],
    breaks: weekly([2, 4], '11:30', '11:45'),
    timeOff: [],
  },
  {
    number: 22,
    displayName: 'Isla Specimen',
    title: text('Massage and skin therapist', 'Massage und Haut', 'Massage et peau'),
    description: text(
      'Works to the sound of the sea.',
      'Arbeitet bei Meeresrauschen.',
      'Travaille au bruit de la mer.',
    ),
    imageUrl: null,
    workplaces: [
      {
        location: 'lord-howe',
        services: [...SKILLS.massage, 'hot-stone', 'facial-classic', 'island-facial'],
        hours: weekly([1, 2, 4, 5, 6], '09:00', '18:00'),
        exceptions: [{ week: 1, weekday: 5, hours: [{ opens: '13:00', closes: '21:00' }], note: 'Full moon evening' }],
      },
    ],
    breaks: weekly([1, 2, 4, 5, 6], '13:00', '14:00'),
    timeOff: [],
  },
  {
    number: 23,
    displayName: 'Noah Prototype',
    title: null,
    description: text('Teaches before sunrise.', 'Vor der Sonne wach.', 'Debout avant le soleil.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'lord-howe',
        services: [...SKILLS.yoga, 'sunrise-yoga', 'personal-training', 'intro-call'],
        hours: weekly(EVERY_DAY, '05:30', '13:00'),
      },
    ],
    breaks: weekly(EVERY_DAY, '09:30', '10:00'),
    timeOff: [{ from: { week: 3, weekday: 6, time: '00:00' }, to: { week: 4, weekday: 1, time: '00:00' } }],
  },
];
