import { formatterOf } from './moments';

const FORMAT: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
};

/** Formats a timestamp in a time zone, with the zone's name, such as `Sun, Nov 29, 2026, 10:00 GMT+1`. */
function formatInZone(value: string, timeZone: string): string {
  return formatterOf(FORMAT, timeZone).format(new Date(value));
}

/** A timestamp in a location's time zone. Unlike `Time`, it does not depend on the reader's time zone. */
export function ZonedTime({ value, timeZone }: { value: string; timeZone: string }) {
  return (
    <time dateTime={value} title={timeZone}>
      {formatInZone(value, timeZone)}
    </time>
  );
}
