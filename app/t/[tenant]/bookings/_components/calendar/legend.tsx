import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import styles from './legend.module.css';

type Props = {
  /** The ID by which the calendar refers to this text. */
  id: string;
  /** Whether the legend is visible on a narrow screen. */
  opened: boolean;
  canEdit: boolean;
  canBlock: boolean;
};

/** Explains the calendar: the shading, the warning sign, and how a booking is selected and rescheduled. */
export function Legend({ id, opened, canEdit, canBlock }: Props) {
  return (
    <Text size="xs" c="dimmed" component="div" id={id} className={styles.legend} data-opened={opened || undefined}>
      <span>
        <span className={styles.swatch} data-kind="closed" aria-hidden />
        Striped: closed.
      </span>
      <span>
        <span className={styles.swatch} data-kind="off" aria-hidden />
        Gray: break, time off, or not working.
      </span>
      <span>
        <IconAlertTriangle size={13} className={styles.sign} aria-hidden />
        Warning sign: the booking no longer matches the hours or the catalog.
      </span>
      {canEdit && (
        <span className={styles.keys}>To book free time, click it, or press N on the booking before it.</span>
      )}
      {canBlock && <span className={styles.keys}>To block time, drag over free time, or use Block time.</span>}
      <span className={styles.keys}>
        The arrow keys select a booking.{canEdit && ' Drag a booking to reschedule it, or focus it and press M.'}
      </span>
      {canEdit && (
        <span className={styles.touch}>To book free time, tap it. To reschedule a booking, use its Move button.</span>
      )}
    </Text>
  );
}
