import { Text } from '@mantine/core';
import { formatDate } from '../../bookings/_components/format';
import { formatPrice } from './money';

type Next = { amount: number; currency: string; valid_from: string };

/** Returns a price that is valid from a later date, and that date. */
export function nextPriceText({ amount, currency, valid_from }: Next): string {
  return `${formatPrice(amount, currency)} from ${formatDate(valid_from)}`;
}

/** A price that is valid from a later date, below the present price. */
export function NextPriceText({ next }: { next: Next }) {
  return (
    <Text span display="block" fz={12} c="dimmed">
      {nextPriceText(next)}
    </Text>
  );
}
