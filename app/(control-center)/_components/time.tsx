'use client';

import { formatterOf, WHOLE_TIME } from './moments';
import { useHydrated } from './use-hydrated';

/** Formats a timestamp in UTC. */
export function utcText(value: string): string {
  return `${value.replace('T', ' ').replace(/\.\d+Z$|Z$/, '')} UTC`;
}

/**
 * A timestamp in the reader's time zone, with UTC in its `title`. The browser shows a `title` only after the pointer
 * has moved. A `Tooltip` is not used, because it would also open above a dialog that appears under the pointer.
 */
export function Time({ value, options = WHOLE_TIME }: { value: string; options?: Intl.DateTimeFormatOptions }) {
  const isLocal = useHydrated();
  // The server does not know the reader's time zone. It renders invisible text of about the same width so that the
  // layout does not shift.
  const zone = isLocal ? undefined : 'UTC';
  return (
    <time
      dateTime={value}
      title={utcText(value)}
      style={{ whiteSpace: 'nowrap', visibility: isLocal ? undefined : 'hidden' }}
      // The server and the browser may format the time differently, because their locale data may differ.
      suppressHydrationWarning
    >
      {formatterOf(options, zone).format(new Date(value))}
    </time>
  );
}
