import { z } from 'zod';
import { DAY, parseDay, weekdayOf } from '@/lib/platform/time-zones';
import { date, localTime } from '../catalog/edit/hours';
import { must, plainText, wholeNumber } from '../catalog/edit/texts';
import { localMinutes } from './days';

const MAX_BLOCK_DAYS = 366;
/** Maximum number of days from the start of a block to the end of its repeat. */
const MAX_REPEATED_DAYS = 731;

const weekdays = z
  .array(wholeNumber(1, 7))
  .min(1, 'must contain a weekday')
  .max(7, 'must contain each weekday at most once')
  .refine((days) => new Set(days).size === days.length, 'must contain each weekday at most once')
  .transform((days) => [...days].sort((a, b) => a - b));

const repeat = z.strictObject({ every_weeks: wholeNumber(1, 52), weekdays, until: date }, { error: must('an object') });

/**
 * What an owner states about a block. `from` is inclusive, `to` is exclusive. Both are local times, and so are the
 * occurrences of the repeat, which is null for a block that occurs once.
 */
export const blockSchema = z
  .strictObject({ from: localTime, to: localTime, repeat: repeat.nullable(), reason: plainText(200).nullable() })
  .superRefine(({ from, to, repeat: repeated }, context) => {
    // A check of an invalid time would throw.
    if (context.issues.length > 0) return;
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const minutes = localMinutes(to) - localMinutes(from);
    if (minutes <= 0) return refuse(['to'], 'must be after the start');
    if (minutes > MAX_BLOCK_DAYS * DAY) return refuse(['to'], `must be at most ${MAX_BLOCK_DAYS} days after the start`);
    if (repeated === null) return;
    if (minutes > DAY) refuse(['to'], 'must be at most 24 hours after the start of a block that repeats');
    const first = parseDay(from.slice(0, 10));
    const days = parseDay(repeated.until) - first;
    if (days < 0) refuse(['repeat', 'until'], 'must not be before the start');
    if (days > MAX_REPEATED_DAYS) refuse(['repeat', 'until'], 'must be at most two years after the start');
    if (!repeated.weekdays.includes(weekdayOf(first)))
      refuse(['repeat', 'weekdays'], 'must contain the weekday of the start');
  });

export type BlockDoc = z.output<typeof blockSchema>;
