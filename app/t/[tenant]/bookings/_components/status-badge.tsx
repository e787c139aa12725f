import { Badge } from '@mantine/core';
import { STATUS_NAMES } from './format';
import type { BookingStatus } from './types';

const COLORS: Record<BookingStatus, string> = {
  confirmed: 'accent',
  cancelled: 'gray',
  completed: 'blue',
  no_show: 'orange',
};

export function StatusBadge({ status }: { status: BookingStatus }) {
  return (
    <Badge variant="dot" color={COLORS[status]} tt="none" fw={600} c="var(--mantine-color-text)" miw="max-content">
      {STATUS_NAMES[status]}
    </Badge>
  );
}
