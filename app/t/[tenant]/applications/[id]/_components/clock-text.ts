import type { Translator } from '@/app/_components/language';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Returns a duration in its two largest units, such as `3 days 4 hours`. */
export function durationText(t: Translator<'applications.clock.units'>, seconds: number): string {
  const first = UNITS.findIndex(([size]) => seconds >= size);
  let rest = seconds;
  const parts = UNITS.slice(Math.max(0, first), first + 2).map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? t(unit, { count }) : '';
  });
  return parts.filter((part) => part !== '').join(' ') || t('second', { count: 0 });
}
