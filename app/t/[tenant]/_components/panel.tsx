import { Group, type MantineSpacing, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; aside?: ReactNode; gap?: MantineSpacing; children: ReactNode };

/** A part of a page, with its title. */
export function Panel({ title, aside, gap = 'md', children }: Props) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-label={title}>
      <Stack gap={gap}>
        <Group justify="space-between">
          <Title order={2} size="h5">
            {title}
          </Title>
          {aside}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
