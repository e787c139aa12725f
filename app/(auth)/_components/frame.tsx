import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EnvironmentBadge } from '@/app/_components/environment-badge';
import { env } from '@/lib/platform/env';

/** The card around the sign-in, invitation, and setup forms: the product, the environment, and the page title. */
export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440} bg="var(--app-surface)" data-all-required>
        <Stack gap="lg">
          <Group justify="space-between" wrap="nowrap">
            <Text fw={650}>Control Center</Text>
            <EnvironmentBadge environment={env().ENVIRONMENT} />
          </Group>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Stack>
  );
}
