import type { Translator } from '@/app/_components/language';

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Formats a number of milliseconds as a duration in the two largest units: `6 d 23 h`, `59 min 58 s`. */
export function spanText(t: Translator<'common.time'>, milliseconds: number): string {
  let rest = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts: string[] = [];
  for (const [seconds, unit] of UNITS) {
    const amount = Math.floor(rest / seconds);
    rest -= amount * seconds;
    if (amount > 0 || parts.length > 0 || seconds === 1) parts.push(t(unit, { n: amount }));
    if (parts.length === 2) break;
  }
  return parts.join(' ');
}
