import { z } from 'zod';
import { latestSequence, MAX_RANGE_DAYS, range, rangeProblem } from './bookings-list';
import { boundedText } from './bounded-text';
import { MAX_INTEGER, shaped } from './text';
import { localDate } from './times';

/** Query of `GET /bookings/digest` (contract B16). */
export const digestQuery = z.strictObject(range).check(({ value, issues }) => {
  const problem = issues.length === 0 ? rangeProblem(value.from, value.to) : null;
  if (problem) issues.push({ code: 'custom', path: [problem.path], message: problem.message, input: value });
});

const day = z.strictObject({
  date: localDate.meta({ description: "Date of the appointments, in the location's time zone." }),
  count: z
    .int()
    .min(0)
    .max(MAX_INTEGER)
    .meta({ description: 'Number of bookings of this day.', examples: [1] }),
  hash: boundedText(64).meta({
    ...shaped('^[0-9a-f]{64}$', 64, 64),
    description: 'SHA-256 in hexadecimal over one line `reference:version` per booking, in order of the references.',
    examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  }),
});

/** Data of `GET /bookings/digest`. */
export const digestData = z.strictObject({
  days: z.array(day).max(MAX_RANGE_DAYS).meta({ description: 'Every day from `from` to `to`.' }),
  sequence: latestSequence.meta({
    description:
      'The digest is that of the bookings after exactly your events up to this sequence. 0 without an event.',
    examples: [4711],
  }),
});
