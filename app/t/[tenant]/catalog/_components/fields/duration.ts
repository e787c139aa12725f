import type { Formats } from '@/lib/platform/text/formats';

const HOUR = 60;
const DAY = 1_440;

/** Formats a number of minutes, such as `1 h 30 min` or `2 days`. The symbols of hours and minutes are international. */
export function formatMinutes(minutes: number, format: Formats): string {
  if (minutes > 0 && minutes % DAY === 0)
    return format.number({ style: 'unit', unit: 'day', unitDisplay: 'long' }).format(minutes / DAY);
  const hours = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

const number = (digits: number, units: string) => `(?:(\\d{1,${digits}}) ?(?:${units}))?`;
/** The units in every language of the Control Center. */
const DURATION = new RegExp(
  `^${[
    number(4, 'd|days?|tage?|j|jours?|d[ií]as?'),
    number(5, 'h|hours?|std\\.?|stunden?|heures?|horas?'),
    number(6, '|m|min\\.?|minuten?|minutes?|minutos?'),
  ].join(' ?')}$`,
);

/** Parses `1 h 15 min`, `1 day`, or `1:15`. A number without a unit means minutes. Null if the text is not a duration. */
export function parseMinutes(text: string): number | null {
  const plain = text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const clock = /^(\d{1,4}):([0-5]\d)$/.exec(plain);
  if (clock) return Number(clock[1]) * HOUR + Number(clock[2]);
  const [, days, hours, minutes] = DURATION.exec(plain) ?? [];
  if (days === undefined && hours === undefined && minutes === undefined) return null;
  return Number(days ?? 0) * DAY + Number(hours ?? 0) * HOUR + Number(minutes ?? 0);
}
