'use client';

import { Button, Group, Switch, Text, VisuallyHidden } from '@mantine/core';
import { formatRequests } from './format';
import styles from './requests.module.css';

type Props = {
  summary: string | null;
  live: boolean;
  onLive: (live: boolean) => void;
  /** New requests that are not shown yet. */
  waiting: number;
  /** Whether there may be more than were counted. */
  more: boolean;
  onShow: () => void;
};

/** What is shown, whether it follows what comes in, and what has come in meanwhile. */
export function Toolbar({ summary, live, onLive, waiting, more, onShow }: Props) {
  const news = `${formatRequests(waiting).replace(/ /, `${more ? '+' : ''} new `)}`;
  return (
    <Group justify="space-between" gap="sm" className={styles.toolbar}>
      <Text size="sm" c="dimmed">
        {summary}
      </Text>
      <Group gap="sm">
        {waiting > 0 && (
          <Button size="xs" onClick={onShow}>
            {news} – show
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
