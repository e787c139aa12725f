import { Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
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
  const t = useTranslations('bookings.legend');
  return (
    <Text size="xs" c="dimmed" component="div" id={id} className={styles.legend} data-opened={opened || undefined}>
      <span>
        <span className={styles.swatch} data-kind="closed" aria-hidden />
        {t('closed')}
      </span>
      <span>
        <span className={styles.swatch} data-kind="off" aria-hidden />
        {t('off')}
      </span>
      <span>
        <IconAlertTriangle size={13} className={styles.sign} aria-hidden />
        {t('warning')}
      </span>
      {canEdit && <span className={styles.keys}>{t('book')}</span>}
      {canBlock && <span className={styles.keys}>{t('block')}</span>}
      <span className={styles.keys}>
        {t('keys')}
        {canEdit && ` ${t('drag')}`}
      </span>
      {canEdit && <span className={styles.touch}>{t('touch')}</span>}
    </Text>
  );
}
