'use client';

import { useFormats } from '@/app/_components/language';
import { useHydrated } from '@/app/_components/use-hydrated';
import { WHOLE_TIME } from './moments';
import styles from './time.module.css';

/** Formats a timestamp in UTC. */
export function utcText(value: string): string {
  return `${value.replace('T', ' ').replace(/\.\d+Z$|Z$/, '')} UTC`;
}

/**
 * A timestamp in the reader's time zone, with UTC in its `title`. A `Tooltip` would be worse: when a dialog opens, the
 * pointer may already be above a timestamp of the dialog, and a `Tooltip` would then cover part of the dialog. The
 * browser shows a `title` only after the pointer has moved.
 */
export function Time({ value, options = WHOLE_TIME }: { value: string; options?: Intl.DateTimeFormatOptions }) {
  const format = useFormats();
  const isLocal = useHydrated();
  // The server does not know the reader's time zone. It renders the time in UTC as invisible text. This text has about
  // the same width as the local time that replaces it, so the layout does not shift.
  const zone = isLocal ? undefined : 'UTC';
  return (
    <time
      dateTime={value}
      title={utcText(value)}
      className={styles.time}
      style={{ visibility: isLocal ? undefined : 'hidden' }}
      // The server and the browser can format the time differently, because their locale data can differ.
      suppressHydrationWarning
    >
      {format.dateTime(options, zone).format(new Date(value))}
    </time>
  );
}
