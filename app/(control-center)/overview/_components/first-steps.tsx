'use client';

import { Anchor, Code, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTRPC } from '../../_components/trpc';
import type { Progress } from './types';

/** The steps that the owner takes before a partner can send a first request. Completed steps are marked. */
export function FirstSteps({ progress }: { progress: Progress }) {
  const trpc = useTRPC();
  const { applications, keys } = progress;
  const services = useQuery(trpc.catalog.services.list.queryOptions({ status: 'published' }));
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)">
      <Title order={2} size="h4" mb={4}>
        Get your first request
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Follow these four steps. The request appears under Requests within a second.
      </Text>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        <Step number={1} done={(services.data?.total ?? 0) > 0}>
          Create and publish a service, a location, and a specialist in the{' '}
          <Anchor component={Link} href="/catalog" inherit fw={600}>
            Catalog
          </Anchor>
          .
        </Step>
        <Step number={2} done={applications > 0}>
          <Anchor component={Link} href="/applications" inherit fw={600}>
            Create an application
          </Anchor>{' '}
          for the partner’s server, with its scopes and locations.
        </Step>
        <Step number={3} done={keys > 0}>
          Issue a key for the application under{' '}
          <Anchor component={Link} href="/applications" inherit fw={600}>
            Applications
          </Anchor>
          . The key is shown only once, with a ready-to-run command.
        </Step>
        <Step number={4} done={false}>
          Ask the partner to read the catalog: <Code>GET /api/partner/v1/catalog</Code>. Send them the{' '}
          <Anchor href="/docs" inherit fw={600}>
            API documentation
          </Anchor>
          .
        </Step>
      </Stack>
    </Paper>
  );
}

function Step({ number, done, children }: { number: number; done: boolean; children: ReactNode }) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant={done ? 'filled' : 'light'} radius="xl" size="md" aria-hidden>
        {done ? <IconCheck size={14} /> : number}
      </ThemeIcon>
      <Text size="sm" component="div" pt={3}>
        {children}
        {done && (
          <Text span c="dimmed" size="sm">
            {' '}
            Done.
          </Text>
        )}
      </Text>
    </Group>
  );
}
