'use client';

import { Anchor, Code, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import type { Bookability, Progress } from './types';

type Props = { progress: Progress; bookability: Bookability | undefined };

/** The steps that the owner takes before a partner can send a first booking. Completed steps are marked. */
export function FirstSteps({ progress, bookability }: Props) {
  const t = useTranslations('overview.steps');
  const { locations, specialists, services, offerings, applications, keys, endpoints, requests } = progress;
  const steps = [
    { name: 'location', href: '/catalog/locations', done: locations > 0 },
    { name: 'specialist', href: '/catalog/specialists', done: specialists > 0 },
    { name: 'service', href: '/catalog', done: services > 0 },
    { name: 'offers', href: '/catalog', done: offerings > 0 },
    { name: 'preview', href: '/catalog/preview', done: bookability?.any_bookable === true },
    { name: 'application', href: '/applications', done: applications > 0 },
    { name: 'key', href: '/applications', done: keys > 0 },
    { name: 'webhook', href: '/applications', done: endpoints > 0 },
    { name: 'read', href: '/docs', done: requests },
    { name: 'booking', href: '/bookings', done: false },
  ] as const;
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)">
      <Title order={2} size="h4" mb={4}>
        {t('title')}
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        {t('lead')}
      </Text>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, href, done }, index) => (
          <Step key={name} number={index + 1} done={done}>
            {t.rich(name, { link: name === 'read' ? toDocs : linkTo(href), code, call: 'GET /api/partner/v1/catalog' })}
          </Step>
        ))}
      </Stack>
    </Paper>
  );
}

const code = (chunks: ReactNode) => <Code>{chunks}</Code>;

const toDocs = (chunks: ReactNode) => (
  <Anchor href="/docs" inherit fw={600}>
    {chunks}
  </Anchor>
);

const linkTo = (href: string) => (chunks: ReactNode) => (
  <Anchor component={Link} href={href} inherit fw={600}>
    {chunks}
  </Anchor>
);

function Step({ number, done, children }: { number: number; done: boolean; children: ReactNode }) {
  const t = useTranslations('overview.steps');
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
            {t('done')}
          </Text>
        )}
      </Text>
    </Group>
  );
}
