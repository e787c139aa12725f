import { Text } from '@mantine/core';
import { dateText } from '../../../bookings/_components/display/format';
import { useWords, type Words } from '../words';
import { formatPrice } from './money';

type Next = { amount: number; currency: string; valid_from: string };

/** Returns a price that is valid from a later date, and that date, for the messages `catalog.nextPrice`. */
export function nextPriceParts(format: Words['format'], { amount, currency, valid_from }: Next) {
  return { price: formatPrice(amount, currency, format.language), date: dateText(format, valid_from) };
}

/** A price that is valid from a later date, below the present price. */
export function NextPriceText({ next }: { next: Next }) {
  const { t, format } = useWords();
  return (
    <Text span display="block" fz={12} c="dimmed">
      {t('nextPrice.text', nextPriceParts(format, next))}
    </Text>
  );
}
