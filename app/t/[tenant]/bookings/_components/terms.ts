import { formatterOf, NEAR_DAY } from '../../_components/time/moments';
import { formatPrice } from '../../catalog/_components/money';
import type { BookingTerms } from './types';

/**
 * Returns the local date and time until which the partner can change a booking, such as `until Jan 5, 10:00`.
 * @param date The date of which only the time is stated.
 */
export function deadlineText(
  { change_deadline: deadline }: Pick<BookingTerms, 'change_deadline'>,
  date: string | null = null,
): string | null {
  if (deadline === null) return null;
  // The text is the local time of the booking, so it must not be converted.
  const [day, time] = [deadline.slice(0, 10), deadline.slice(11, 16)];
  if (day === date) return `until ${time}`;
  return `until ${formatterOf(NEAR_DAY, 'UTC').format(new Date(`${day}T00:00:00Z`))}, ${time}`;
}

/**
 * Returns the price, a note's existence, and the partner's deadline as short texts, without those that a booking lacks.
 * `date` is as in `deadlineText`.
 */
export function termsTexts(terms: BookingTerms, date: string | null = null): string[] {
  const deadline = deadlineText(terms, date);
  return [
    ...(terms.price ? [formatPrice(terms.price.amount, terms.price.currency)] : []),
    ...(terms.has_note ? ['has a note'] : []),
    ...(deadline === null ? [] : [`changes ${deadline}`]),
  ];
}
