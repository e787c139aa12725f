import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { BookingStatus } from '../types';

const COLORS: Record<BookingStatus, string> = {
  confirmed: 'accent',
  cancelled: 'gray',
  completed: 'blue',
  no_show: 'orange',
};

export function StatusBadge({ status }: { status: BookingStatus }) {
  const t = useTranslations('words.bookingStatus');
  return (
    <Badge variant="dot" color={COLORS[status]} tt="none" fw={600} c="var(--mantine-color-text)" miw="max-content">
      {t(status)}
    </Badge>
  );
}
