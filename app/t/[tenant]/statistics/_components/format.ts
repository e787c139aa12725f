import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { formatPrice } from '../../catalog/_components/prices/money';

type Translate = Translator<'statistics.figures'>;

/** Returns the change from the period before, such as `+12% (before: 100)`. */
export function changeText(t: Translate, format: Formats, now: number, before: number): string {
  const value = format.count(before);
  if (before === 0) return t('before', { value });
  const percent = Math.round(((now - before) / before) * 100) / 100;
  return t('change', {
    percent: format.number({ style: 'percent', signDisplay: 'exceptZero' }).format(percent),
    value,
  });
}

export function shareText(format: Formats, part: number, all: number): string {
  return all === 0 ? '–' : format.percent(part / all);
}

/** Returns a part of all bookings with its share, such as `3 (12%)`. */
export function partText(t: Translate, format: Formats, part: number, all: number): string {
  return t('share', { count: format.count(part), share: shareText(format, part, all) });
}

/** Hours below two days, otherwise days. */
export function leadText(t: Translate, format: Formats, hours: number | null): string {
  if (hours === null) return '–';
  return hours < 48 ? t('hours', { hours }) : t('days', { days: format.count(Math.round(hours / 24)) });
}

export function revenueText({ language }: Formats, revenue: readonly { currency: string; amount: number }[]): string {
  return revenue.map(({ currency, amount }) => formatPrice(amount, currency, language)).join(', ') || '–';
}
