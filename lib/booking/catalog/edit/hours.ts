import { z } from 'zod';
import { calendarDate, clockTime } from '@/lib/contract/common';
import { list, unique } from './lists';
import { must, plainText, wholeNumber } from './texts';

/** Intervals of a week: six a day, and then some. */
const MAX_WEEKLY = 70;
/** Intervals of one date; a day has no more that make sense. */
const MAX_DATED = 12;
/** Exceptions of a place: two years of days. */
const MAX_EXCEPTIONS = 750;
const MAX_TIME_OFF = 500;

/** Dates that calendars of people and PostgreSQL agree on. */
const date = calendarDate.refine((text) => text >= '2000-01-01' && text <= '2199-12-31', {
  message: 'must be a date from 2000 to 2199',
});

const closes = z.string({ error: must('text') }).regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, {
  message: 'must be a time, HH:MM, or 24:00',
});

const interval = { opens: clockTime, closes };

/** From `opens` to `closes`; up to `opens` is on the next day, the same time is 24 hours (contract B6). */
const hours = z.strictObject(interval, { error: must('an object') });

const weekdayHours = z.strictObject({ weekday: wholeNumber(1, 7), ...interval }, { error: must('an object') });

/** Hours of every week, in the location's own zone. */
export const weeklyHours = list(
  weekdayHours,
  MAX_WEEKLY,
  unique((entry) => `${entry.weekday} ${entry.opens}`, ['opens'], 'begins like another interval of this weekday'),
);

/** Dated exceptions: each replaces the hours that start on its date; without hours, closed. */
export const exceptions = list(
  z.strictObject(
    { date, hours: list(hours, MAX_DATED).default([]), note: plainText(500).nullable().default(null) },
    { error: must('an object') },
  ),
  MAX_EXCEPTIONS,
  unique((entry) => entry.date, ['date'], 'has an exception already'),
);

const localTime = z
  .string({ error: must('text') })
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/, {
    message: 'must be a local time, YYYY-MM-DDTHH:MM',
    abort: true,
  })
  .refine((text) => date.safeParse(text.slice(0, 10)).success, 'must be an existing date, from 2000 to 2199');

/** Time off in local time of wherever they would have worked: from inclusive, to exclusive. */
export const timeOff = list(
  z
    .strictObject({ from: localTime, to: localTime }, { error: must('an object') })
    .refine(({ from, to }) => to > from, { message: 'must be after its beginning', path: ['to'] }),
  MAX_TIME_OFF,
  unique((entry) => entry.from, ['from'], 'begins like another time off'),
);
