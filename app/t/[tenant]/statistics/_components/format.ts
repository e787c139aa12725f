import { formatCount } from '../../_components/format';
import { formatPrice } from '../../catalog/_components/money';

/** Returns the change from the period before, such as `+12% (before: 100)`. */
export function changeText(now: number, before: number): string {
  if (before === 0) return 'before: 0';
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? '+' : ''}${percent}% (before: ${formatCount(before)})`;
}

export function shareText(part: number, all: number): string {
  return all === 0 ? '–' : `${Math.round((part / all) * 100)}%`;
}

/** Hours below two days, otherwise days. */
export function leadText(hours: number | null): string {
  if (hours === null) return '–';
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

export function revenueText(revenue: readonly { currency: string; amount: number }[]): string {
  return revenue.map(({ currency, amount }) => formatPrice(amount, currency)).join(', ') || '–';
}
