import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { calendarDate, clockTime } from '@/lib/contract/common';
import { list, unique } from './lists';
import { must, plainText, wholeNumber } from './texts';

/** Intervals in a week. */
export const MAX_WEEKLY = 70;
/** Intervals in an exception. */
const MAX_DATED = 12;
/** Of one location, or of one specialist at one workplace: every day for two years. */
export const MAX_EXCEPTIONS = 750;
export const MAX_TIME_OFF = 500;

export const date = calendarDate.refine((text) => text >= '2000-01-01' && text <= '2199-12-31', {
  message: 'must be a date from 2000 to 2199',
});

const CLOSES = 'must be a time from 00:00 to 24:00, HH:MM';
const closes = boundedText(5, CLOSES, must('text')).regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, CLOSES);

const interval = { opens: clockTime, closes };

/** If `closes` is earlier than `opens`, the interval ends on the next day. Equal times mean 24 hours (contract B6). */
const hours = z.strictObject(interval, { error: must('an object') });

const weekdayHours = z.strictObject({ weekday: wholeNumber(1, 7), ...interval }, { error: must('an object') });

/** In the location's time zone. */
export const weeklyHours = list(
  weekdayHours,
  MAX_WEEKLY,
  unique(
    (entry) => `${entry.weekday} ${entry.opens}`,
    ['opens'],
    'starts at the same time as another interval on this weekday',
  ),
);

/** Replace the hours that start on their date. Without hours, they are closures. */
export const exceptions = list(
  z.strictObject(
    { date, hours: list(hours, MAX_DATED).default([]), note: plainText(500).nullable().default(null) },
    { error: must('an object') },
  ),
  MAX_EXCEPTIONS,
  unique((entry) => entry.date, ['date'], 'already has an exception'),
);

const LOCAL_TIME = 'must be a local time, YYYY-MM-DDTHH:MM';
export const localTime = boundedText(16, LOCAL_TIME, must('text'))
  .regex(/^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/, { message: LOCAL_TIME, abort: true })
  .refine((text) => date.safeParse(text.slice(0, 10)).success, 'must be an existing date, from 2000 to 2199');

/** At every workplace, in its local time. `from` is inclusive, `to` is exclusive. */
export const timeOff = list(
  z
    .strictObject({ from: localTime, to: localTime }, { error: must('an object') })
    .refine(({ from, to }) => to > from, { message: 'must be after the start', path: ['to'] }),
  MAX_TIME_OFF,
  unique((entry) => entry.from, ['from'], 'starts at the same time as another time-off period'),
);
