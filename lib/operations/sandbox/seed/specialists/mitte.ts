import { MONDAY_TO_FRIDAY, TUESDAY_TO_SATURDAY, text, weekly } from '../types';
import { SKILLS } from './skills';
import type { SpecialistSeed } from './specialist';

/** The specialists who work in Berlin Mitte. Some of them also work at other locations. */
export const MITTE_TEAM: readonly SpecialistSeed[] = [
  {
    number: 1,
    displayName: 'Mara Beispiel',
    title: text('Color specialist', 'Coloristin', 'Coloriste'),
    description: text('Fifteen years of experience with color.', 'Fünfzehn Jahre Farbe.', 'Quinze ans de couleur.'),
    imageUrl: 'https://images.sandbox.example/specialists/mara.webp',
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.cuts, ...SKILLS.colour],
        hours: weekly(MONDAY_TO_FRIDAY, '09:00', '17:00'),
        exceptions: [{ week: 2, weekday: 2, hours: [{ opens: '12:00', closes: '20:00' }], note: 'Late shift' }],
      },
    ],
    breaks: weekly(MONDAY_TO_FRIDAY, '13:00', '13:30'),
    timeOff: [
      { from: { week: 5, weekday: 1, time: '00:00' }, to: { week: 6, weekday: 1, time: '00:00' } },
      { from: { week: 3, weekday: 3, time: '15:00' }, to: { week: 3, weekday: 3, time: '17:00' } },
    ],
  },
  {
    number: 2,
    displayName: 'Jonas Mustermann',
    title: text('Barber', 'Barbier', 'Barbier'),
    description: text('Calm shaves and beard trims.', 'Bärte, Klingen und Ruhe.', 'Barbes, lames et calme.'),
    imageUrl: 'https://images.sandbox.example/specialists/jonas.webp',
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.barber, 'mens-cut', 'kids-cut'],
        hours: weekly(TUESDAY_TO_SATURDAY, '10:00', '18:00'),
      },
    ],
    breaks: weekly(TUESDAY_TO_SATURDAY, '14:00', '14:45'),
    timeOff: [{ from: { week: 4, weekday: 2, time: '00:00' }, to: { week: 4, weekday: 5, time: '00:00' } }],
  },
  {
    // On four weekdays, this specialist works at one location in the morning and at another location in the afternoon.
    number: 3,
    displayName: 'Lotte Probe',
    title: text('Stylist', 'Stylistin', 'Styliste'),
    description: text('Updos and bridal hair.', 'Hochsteck- und Brautfrisuren.', 'Chignons et coiffures de mariée.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.occasions, ...SKILLS.scalp, 'womens-cut', 'blow-dry'],
        hours: weekly(MONDAY_TO_FRIDAY, '08:00', '13:00'),
      },
      {
        location: 'kreuzberg',
        services: [...SKILLS.occasions, 'womens-cut', 'blow-dry'],
        hours: weekly([1, 2, 3, 4], '15:00', '20:00'),
        exceptions: [{ week: 1, weekday: 3, hours: [], note: 'Only in Mitte' }],
      },
    ],
    breaks: weekly([1, 2, 3, 4], '17:30', '17:45'),
    timeOff: [],
  },
  {
    number: 4,
    displayName: 'Theo Vorlage',
    title: text('Physiotherapist', 'Physiotherapeut', 'Kinésithérapeute'),
    description: text('Patient care for backs and knees.', 'Rücken, Knie und Geduld.', 'Dos, genoux et patience.'),
    imageUrl: 'https://images.sandbox.example/specialists/theo.webp',
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.physio, ...SKILLS.finePhysio],
        hours: weekly(MONDAY_TO_FRIDAY, '08:00', '16:30'),
      },
    ],
    breaks: weekly(MONDAY_TO_FRIDAY, '12:00', '12:45'),
    timeOff: [{ from: { week: 3, weekday: 5, time: '12:00' }, to: { week: 4, weekday: 1, time: '12:45' } }],
  },
  {
    // This specialist works at two locations, but on different weekdays. One of these locations is not published.
    number: 5,
    displayName: 'Élodie Exemple',
    title: text('Sports physiotherapist', 'Sportphysiotherapeutin', 'Kinésithérapeute du sport'),
    description: text('A runner herself.', 'Läuft selbst.', 'Court elle-même.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.physio, ...SKILLS.sportPhysio],
        hours: [...weekly([1, 2, 3], '10:00', '19:00'), ...weekly([6], '09:00', '15:00')],
      },
      {
        location: 'lyon',
        services: [...SKILLS.physio, ...SKILLS.sportPhysio],
        hours: [...weekly([4, 5], '09:00', '12:30'), ...weekly([4, 5], '14:00', '18:00')],
      },
    ],
    breaks: weekly([1, 2, 3], '14:00', '14:30'),
    timeOff: [],
  },
  {
    number: 6,
    displayName: 'Henrik Entwurf',
    title: text('Massage therapist', 'Masseur', 'Masseur'),
    description: text('Firm hands.', 'Kräftige Hände.', 'Des mains fermes.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.massage, ...SKILLS.firmMassage],
        hours: weekly(MONDAY_TO_FRIDAY, '11:00', '20:00'),
        exceptions: [{ week: 2, weekday: 5, hours: [{ opens: '11:00', closes: '15:00' }], note: 'Half day' }],
      },
    ],
    breaks: weekly(MONDAY_TO_FRIDAY, '15:00', '15:30'),
    timeOff: [{ from: { week: 6, weekday: 1, time: '00:00' }, to: { week: 8, weekday: 1, time: '00:00' } }],
  },
  {
    number: 7,
    displayName: 'Ayla Skizze',
    title: text('Beautician', 'Kosmetikerin', 'Esthéticienne'),
    description: text('Experienced with every skin type.', 'Haut verrät ihr alles.', 'La peau lui dit tout.'),
    imageUrl: 'https://images.sandbox.example/specialists/ayla.webp',
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.face, ...SKILLS.eyes, ...SKILLS.nails, 'patch-test'],
        hours: weekly(TUESDAY_TO_SATURDAY, '09:00', '17:30'),
      },
    ],
    breaks: weekly(TUESDAY_TO_SATURDAY, '12:30', '13:00'),
    timeOff: [],
  },
  {
    number: 8,
    displayName: 'Nora Schablone',
    title: text('Pilates teacher', 'Pilates-Trainerin', 'Professeure de pilates'),
    description: text('Starts early.', 'Fängt früh an.', 'Commence tôt.'),
    imageUrl: null,
    workplaces: [
      {
        location: 'mitte',
        services: [...SKILLS.pilates, ...SKILLS.health],
        hours: [...weekly(MONDAY_TO_FRIDAY, '08:00', '15:00'), ...weekly([6], '09:00', '13:00')],
      },
    ],
    breaks: weekly([2, 4], '12:00', '12:15'),
    timeOff: [{ from: { week: 2, weekday: 6, time: '00:00' }, to: { week: 2, weekday: 7, time: '00:00' } }],
  },
];
