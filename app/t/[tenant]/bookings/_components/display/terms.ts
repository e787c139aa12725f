import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { SHORT_TIME } from '../../../_components/time/moments';
import { formatPrice } from '../../../catalog/_components/prices/money';
import type { BookingTerms } from '../types';
import { timeText } from './format';

type Deadline = Pick<BookingTerms, 'change_deadline'>;

/** Returns the local date and time of the deadline, such as `Jan 5, 10:00`, or null. */
export function deadlineMoment(format: Formats, { change_deadline: deadline }: Deadline): string | null {
  if (deadline === null) return null;
  // The text is the local time of the booking, so it must not be converted.
  return format.dateTime(SHORT_TIME, 'UTC').format(new Date(`${deadline.slice(0, 16)}:00Z`));
}

/**
 * Returns until when the partner can change a booking, such as `until Jan 5, 10:00`.
 * @param date The date of which only the time is stated.
 */
export function deadlineText(
  t: Translator<'bookings.terms'>,
  format: Formats,
  terms: Deadline,
  date: string | null = null,
): string | null {
  const own = deadlineOn(format, terms, date);
  return own && t(own.isTime ? 'untilTime' : 'until', { moment: own.moment });
}

function deadlineOn(format: Formats, terms: Deadline, date: string | null) {
  const moment = deadlineMoment(format, terms);
  if (moment === null || terms.change_deadline === null) return null;
  const isTime = terms.change_deadline.slice(0, 10) === date;
  return { isTime, moment: isTime ? timeText(format, terms.change_deadline.slice(11, 16)) : moment };
}

/** Returns the texts of what a booking has. `date` is as in `deadlineText`. */
export function termsTexts(
  t: Translator<'bookings.terms'>,
  format: Formats,
  terms: BookingTerms,
  date: string | null = null,
): string[] {
  const deadline = deadlineOn(format, terms, date);
  return [
    ...(terms.price ? [formatPrice(terms.price.amount, terms.price.currency, format.language)] : []),
    ...(terms.has_note ? [t('hasNote')] : []),
    ...(deadline ? [t(deadline.isTime ? 'changesUntilTime' : 'changesUntil', { moment: deadline.moment })] : []),
  ];
}
