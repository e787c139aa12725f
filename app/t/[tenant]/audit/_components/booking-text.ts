import type { Formats } from '@/lib/platform/text/formats';
import type { AuditChange } from '../../_components/api-types';
import { dateText, entriesOf, timeText } from './schedule-text';
import type { Texts } from './texts';

type Values = Record<string, unknown>;

/** Returns a booking's date and time as stored in an entry: `Fri, Dec 25, 2026, 10:00`. */
export const startText = (format: Formats, { date, start_time }: Values) =>
  `${dateText(format, date)}, ${timeText(format, start_time)}`;

/** Returns whether an entry states its booking's service and start. Entries from earlier releases do not. */
export function isNamed(values: Values | null): values is Values & { service: string } {
  return typeof values?.service === 'string' && typeof values.start_time === 'string';
}

/** Returns a booking as part of a sentence: `the booking of Haircut on Fri, Dec 25, 2026, 10:00`. */
export function bookingPhrase({ t, format }: Texts, values: Values | null): string | null {
  return isNamed(values) ? t('bookings.named', { service: values.service, start: startText(format, values) }) : null;
}

/**
 * A booking that a member opened by searching for its phone number. `values` are the recorded details of the booking,
 * such as its service. Audit entries from earlier releases have no such details, so `values` is null.
 */
type Opened = { reference: string; values: Values | null };

/** Returns the bookings that the member opened with a search by phone number. Empty for any other entry. */
export function openedBookings({ after }: Pick<AuditChange, 'after'>): Opened[] {
  if (!Array.isArray(after?.references)) return [];
  const bookings = entriesOf(after.bookings);
  return after.references.map((reference, index) => ({
    reference: String(reference),
    values: bookings[index] ?? null,
  }));
}

/** Returns the service, start, and reference, or only the reference if the entry does not state the others. */
export function openedText(format: Formats, { reference, values }: Opened): string {
  return isNamed(values) ? `${values.service}, ${startText(format, values)} (${reference})` : reference;
}
