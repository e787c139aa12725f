import { formatPrice } from '../../catalog/_components/money';
import { formatWeekday } from './format';
import type { BookingTerms } from './types';

/** Returns the local date and time until which the partner can change a booking, such as `until Mon, Jan 5, 10:00`. */
export function deadlineText({ change_deadline: deadline }: Pick<BookingTerms, 'change_deadline'>): string | null {
  // The text is the local time of the booking, so it must not be converted.
  return deadline === null ? null : `until ${formatWeekday(deadline.slice(0, 10))}, ${deadline.slice(11, 16)}`;
}

/** Returns the price, the partner's deadline, and a note's existence as short texts, without those that a booking lacks. */
export function termsTexts(terms: BookingTerms): string[] {
  const deadline = deadlineText(terms);
  return [
    ...(terms.price ? [formatPrice(terms.price.amount, terms.price.currency)] : []),
    ...(deadline === null ? [] : [`changes ${deadline}`]),
    ...(terms.has_note ? ['has a note'] : []),
  ];
}
