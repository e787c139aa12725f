'use client';

import { useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';

const FORMAT: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

const LOCAL = /^(.{16}):\d\d([+-])(\d\d):(\d\d)$/;

/**
 * Formats an RFC 3339 timestamp with an offset, such as `Sun, Nov 29, 2026, 10:00 GMT+1`. The text shows the local time
 * in `value`. It is formatted as if it were UTC, because the browser must not convert it: its time zone rules may be
 * older than those of the server.
 */
function formatLocal(format: Formats, value: string): string {
  const [, local = '', sign = '', hours = '', minutes = ''] = LOCAL.exec(value) ?? [];
  const offset = `${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
  return `${format.dateTime(FORMAT, 'UTC').format(new Date(`${local}Z`))} GMT${offset === '0' ? '' : `${sign}${offset}`}`;
}

/** A timestamp in a location's time zone, from the server. Unlike `Time`, it does not depend on the reader's time zone. */
export function ZonedTime({ value, timeZone }: { value: string; timeZone: string }) {
  const format = useFormats();
  return (
    <time dateTime={value} title={timeZone}>
      {formatLocal(format, value)}
    </time>
  );
}
