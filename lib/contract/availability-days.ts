import { z } from 'zod';
import { slot } from './availability';
import { boundedText } from './bounded-text';
import { answerTokenField, calendarDate, daysBetween, EXAMPLE_IDS, issuedId, minTokenParameter } from './common';
import { idPattern, shaped, TIME_ZONE } from './text';
import { localDate } from './times';

/** Maximum number of days of a request (contract B17). */
export const MAX_CALENDAR_DAYS = 62;

/** Maximum number of ids in a list, and of combinations of a service and a location (contract B17). */
export const MAX_COMBINATIONS = 20;

/** Maximum number of specialist days: days × specialists, over all combinations (contract B17). */
export const MAX_SPECIALIST_DAYS = 6_200;

const ID_LENGTH = EXAMPLE_IDS.service.length;
const LIST_LENGTH = MAX_COMBINATIONS * (ID_LENGTH + 1) - 1;

/** Accepts any text as an id, like `recordId`: malformed and unknown ids must result in the same 404 (contract B3). */
const idList = (kind: 'service' | 'location' | 'specialist', description: string) => {
  const one = idPattern(EXAMPLE_IDS[kind].slice(0, 3)).slice(1, -1);
  const message = `must have at most ${MAX_COMBINATIONS} ids, separated by commas`;
  return boundedText(LIST_LENGTH, message)
    .refine((text) => text.split(',').length <= MAX_COMBINATIONS, message)
    .meta({
      ...shaped(`^${one}(,${one})*$`, LIST_LENGTH, ID_LENGTH),
      description: `${description} Up to ${MAX_COMBINATIONS} ids, separated by commas.`,
      examples: [EXAMPLE_IDS[kind]],
    });
};

/** Returns the ids of a list. Repeated ids count once. */
export function idsOf(list: string): string[] {
  return [...new Set(list.split(','))];
}

/** Query of `GET /availability/days` (contract B17). */
export const availabilityDaysQuery = z
  .strictObject({
    service_ids: idList('service', 'The services to find slots for.'),
    date: calendarDate.meta({ description: 'First day, in the time zone of each location.' }),
    date_to: calendarDate
      .meta({
        description: `Last day, inclusive; at most ${MAX_CALENDAR_DAYS - 1} days after \`date\`. By default, equal to \`date\`. Not with \`next=true\`.`,
      })
      .optional(),
    location_ids: idList(
      'location',
      'The locations. By default, all of your locations that offer each service.',
    ).optional(),
    specialist_ids: idList(
      'specialist',
      'Only slots with these specialists. By default, slots with any specialist.',
    ).optional(),
    next: z
      .enum(['true', 'false'], 'must be true or false')
      .transform((value) => value === 'true')
      .pipe(z.boolean())
      .default(false)
      .meta({
        type: 'boolean',
        description:
          'If true, the response has no days, but the next free slot of each combination, from `date` to the end of what can be booked.',
        examples: [false],
      }),
    min_token: minTokenParameter.optional(),
  })
  .check((context) => {
    const { date, date_to: dateTo, next } = context.value;
    if (dateTo === undefined) return;
    const refuse = (message: string) =>
      context.issues.push({ code: 'custom', path: ['date_to'], message, input: dateTo });
    if (next) return void refuse('must be absent with next=true');
    const days = daysBetween(date, dateTo);
    if (days >= 0 && days < MAX_CALENDAR_DAYS) return;
    refuse(`must be the same day as date or up to ${MAX_CALENDAR_DAYS - 1} days later`);
  });

const day = z.strictObject({
  date: localDate.meta({ description: "The day, in the location's time zone.", examples: ['2026-09-14'] }),
  available: z.boolean().meta({ description: 'Whether the day has a free slot.', examples: [true] }),
  first_slot: slot.nullable().meta({ description: 'The first free slot of the day, or null.' }),
});

const combination = z.strictObject({
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  time_zone: z
    .string()
    .meta({ ...TIME_ZONE, description: "The location's IANA time zone.", examples: ['Europe/Berlin'] }),
  days: z
    .array(day)
    .max(MAX_CALENDAR_DAYS)
    .meta({ description: 'Every day from `date` to `date_to`, in order. Empty with `next=true`.' }),
  next_slot: slot.nullable().meta({
    description: 'Only with `next=true`: the next free slot. Null if there is none up to `searched_to`.',
  }),
  searched_to: localDate.meta({
    description:
      'The last day that was searched. With `next=true` and without a slot, `complete` says whether later days can have one.',
    examples: ['2026-09-14'],
  }),
  complete: z.boolean().meta({
    description:
      'Whether the search reached its end. If false, the request was too large to search every day: send it again with `date` on the day after `searched_to`. Only a request with `next=true` can be incomplete.',
    examples: [true],
  }),
});

/** Data of `GET /availability/days` (contract B17): one entry per combination of a service and a location. */
export const availabilityDaysData = z.strictObject({
  combinations: z
    .array(combination)
    .max(MAX_COMBINATIONS)
    .meta({ description: 'One entry per service and location, in the order of the services, then of the locations.' }),
  token: answerTokenField,
});
