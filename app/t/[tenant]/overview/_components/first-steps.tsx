'use client';

import { Anchor, Code, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/link';
import type { Bookability, Progress } from './types';

type Props = { progress: Progress; bookability: Bookability | undefined };

/** The steps that the owner takes before a partner can send a first booking. Completed steps are marked. */
export function FirstSteps({ progress, bookability }: Props) {
  const { locations, specialists, services, offerings, applications, keys, endpoints, requests } = progress;
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)">
      <Title order={2} size="h4" mb={4}>
        Get your first booking
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Follow these steps. Each request from the partner appears under Requests within a second.
      </Text>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        <Step number={1} done={locations > 0}>
          <To href="/catalog/locations">Create and publish a location</To> with its time zone and opening hours.
        </Step>
        <Step number={2} done={specialists > 0}>
          <To href="/catalog/specialists">Create and publish a specialist</To> with working hours at the location.
        </Step>
        <Step number={3} done={services > 0}>
          <To href="/catalog">Create and publish a service</To> with its duration and price.
        </Step>
        <Step number={4} done={offerings > 0}>
          On the <To href="/catalog">service</To>’s page, add the specialists who offer it, and the locations where they
          offer it.
        </Step>
        <Step number={5} done={bookability?.any_bookable === true}>
          Check under <To href="/catalog/preview">Preview</To> that partners get times in the next 14 days.
        </Step>
        <Step number={6} done={applications > 0}>
          <To href="/applications">Create an application</To> for the partner’s server, and choose its scopes and
          locations.
        </Step>
        <Step number={7} done={keys > 0}>
          Issue a key for the application under <To href="/applications">Applications</To>. The key is shown only once,
          with a ready-to-run command.
        </Step>
        <Step number={8} done={endpoints > 0}>
          If the partner receives webhooks, set up its endpoint on the application’s page, under Webhook.
        </Step>
        <Step number={9} done={requests}>
          Ask the partner to read the catalog: <Code>GET /api/partner/v1/catalog</Code>. Send them the{' '}
          <Anchor href="/docs" inherit fw={600}>
            API documentation
          </Anchor>
          .
        </Step>
        <Step number={10} done={false}>
          The partner makes the first booking. It appears under <To href="/bookings">Bookings</To>.
        </Step>
      </Stack>
    </Paper>
  );
}

function To({ href, children }: { href: string; children: string }) {
  return (
    <Anchor component={Link} href={href} inherit fw={600}>
      {children}
    </Anchor>
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
