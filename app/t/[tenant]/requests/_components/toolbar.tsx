'use client';

import { Button, Group, Switch, Text, VisuallyHidden } from '@mantine/core';
import styles from './requests.module.css';

type Props = {
  summary: string | null;
  live: boolean;
  onLive: (live: boolean) => void;
  /** Number of new requests that are not shown yet. */
  waiting: number;
  onShow: () => void;
};

/**
 * Number of rows on a page. New requests are counted only up to this number. `50+` means that there may be more than
 * 50.
 */
const PAGE = 50;

/** The number of rows, the switch for live mode, and the button that shows new requests. */
export function Toolbar({ summary, live, onLive, waiting, onShow }: Props) {
  const news = `${waiting}${waiting < PAGE ? '' : '+'} new ${waiting === 1 ? 'request' : 'requests'}`;
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" mb="xs" className={styles.toolbar}>
      <Text size="sm" c="dimmed" miw={0} truncate>
        {summary}
      </Text>
      <Group gap="sm" wrap="nowrap">
        {waiting > 0 && (
          <Button size="xs" onClick={onShow}>
            Show {news}
          </Button>
        )}
        <VisuallyHidden role="status">{waiting > 0 ? news : ''}</VisuallyHidden>
        <Switch
          label="Live"
          checked={live}
          onChange={(event) => onLive(event.currentTarget.checked)}
          labelPosition="left"
        />
      </Group>
    </Group>
  );
}
