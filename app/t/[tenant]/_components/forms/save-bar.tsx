'use client';

import { Group, Paper, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './save-bar.module.css';

type Props = { status: string; notice?: ReactNode; children: ReactNode };

/**
 * A bar at the bottom of the viewport that contains the buttons of a long form, and above them a notice about the save.
 * When the bar appears, the form scrolls so that the bar does not cover the field that the user is editing.
 */
export function SaveBar({ status, notice, children }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const field = document.activeElement;
    if (field && bar.current?.closest('form')?.contains(field)) field.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Paper ref={bar} withBorder p="sm" bg="var(--app-surface)" className={styles.bar} data-save-bar>
      <Stack gap="sm">
        <div className={styles.notice}>{notice}</div>
        <Group justify="space-between" gap="sm">
          <Text size="sm" fw={600} role="status">
            {status}
          </Text>
          <Group gap="xs" className={styles.answers}>
            {children}
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}
