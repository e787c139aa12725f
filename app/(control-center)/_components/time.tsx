'use client';

import { Text } from '@mantine/core';
import { LOCALE, WHOLE_TIME } from './moments';
import { useHydrated } from './use-hydrated';

/** Formats a timestamp in UTC. */
export function utcText(value: string): string {
  return `${value.replace('T', ' ').replace(/\.\d+Z$|Z$/, '')} UTC`;
}

/**
 * A timestamp in the reader's time zone, with UTC in its `title`. The browser shows a `title` only after the pointer
 * has moved. A `Tooltip` would also open above a dialog that appears under the pointer.
 */
export function Time({ value, options = WHOLE_TIME }: { value: string; options?: Intl.DateTimeFormatOptions }) {
  const isLocal = useHydrated();
  // The server does not know the reader's time zone. It renders an invisible text of about the same width, so that the
  // layout does not shift.
  const zone = isLocal ? {} : { timeZone: 'UTC' };
  return (
    <Text
      component="time"
      inherit
      dateTime={value}
      title={utcText(value)}
      style={{ whiteSpace: 'nowrap', visibility: isLocal ? undefined : 'hidden' }}
      // Versions of the formats differ between the server and browsers.
      suppressHydrationWarning
    >
      {new Intl.DateTimeFormat(LOCALE, { ...options, ...zone }).format(new Date(value))}
    </Text>
  );
}
