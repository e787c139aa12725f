import { Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EnvironmentBadge } from '@/app/_components/environment-badge';
import { env } from '@/lib/platform/env';

/** The card around the sign-in, invitation, and setup forms, with the page title and the environment. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440} bg="var(--app-surface)">
        <Stack gap="lg">
          <Group justify="space-between" wrap="nowrap">
            <Title order={1} size="h3">
              {title}
            </Title>
            <EnvironmentBadge environment={env().ENVIRONMENT} />
          </Group>
          {children}
        </Stack>
      </Paper>
    </Stack>
  );
}
