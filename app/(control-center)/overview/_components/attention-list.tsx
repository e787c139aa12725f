'use client';

import { Anchor, Group, Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconKey,
  IconPlayerPause,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { DisabledEndpoints } from '../../_components/api-types';
import { SHORT_TIME } from '../../_components/moments';
import { Time } from '../../_components/time';
import { formatCount, formatShare } from '../../requests/_components/format';
import { hrefOf } from '../../requests/_components/query';
import type { Attention } from './types';

type Props = { attention: Attention | undefined; disabled: DisabledEndpoints | undefined };

/** What an owner should look at, each with the way there; or that there is nothing. */
export function AttentionList({ attention, disabled }: Props) {
  if (!attention || !disabled) return <Skeleton height={62} radius="md" />;
  const { failing_applications, expiring_keys, suspended_applications } = attention;
  if (failing_applications.length + expiring_keys.length + suspended_applications.length + disabled.length === 0) {
    return (
      <Item icon={IconCircleCheck} color="green">
        Nothing. No key ends within 14 days, no application fails often, none is suspended, no webhook is disabled.
      </Item>
    );
  }
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {disabled.map(({ application, reason, disabled_at, held }) => (
        <Item key={`webhook-${application.id}`} icon={IconWebhook} color="red" inList>
          The webhook of {application.name} is disabled since <Time value={disabled_at} options={SHORT_TIME} />:{' '}
          {reason === 'gone' ? 'its receiver answered 410 Gone' : 'nothing succeeded for 120 hours'}.{' '}
          {formatCount(held)} {held === 1 ? 'event is' : 'events are'} held.{' '}
          <Go href={`/applications/${application.id}/webhook`}>Open the webhook of {application.name}</Go>
        </Item>
      ))}
      {failing_applications.map(({ id, name, requests, errors }) => (
        <Item key={id} icon={IconAlertTriangle} color="red" inList>
          {name}: {formatShare(errors, requests)} of its requests fail ({formatCount(errors)} of {formatCount(requests)}{' '}
          in 24 hours). <Go href={hrefOf({ application: id, status: 'error' })}>See its errors</Go>
        </Item>
      ))}
      {expiring_keys.map(({ id, name, last_four, ends_at, application }) => (
        <Item key={id} icon={IconKey} color="orange" inList>
          The key {name} (…{last_four}) of {application.name} ends <Time value={ends_at} options={SHORT_TIME} />.{' '}
          <Go href={`/applications/${application.id}/keys`}>Rotate the key {name}</Go>
        </Item>
      ))}
      {suspended_applications.map(({ id, name, suspended_at }) => (
        <Item key={id} icon={IconPlayerPause} color="gray" inList>
          {name} is suspended since <Time value={suspended_at} options={SHORT_TIME} />: its requests are refused.{' '}
          <Go href={`/applications/${id}`}>Open {name}</Go>
        </Item>
      ))}
    </Stack>
  );
}

type ItemProps = { icon: TablerIcon; color: string; inList?: boolean; children: ReactNode };

function Item({ icon: Icon, color, inList = false, children }: ItemProps) {
  return (
    <Paper component={inList ? 'li' : 'div'} withBorder p="sm" bg="var(--app-surface)">
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" color={color} radius="xl" aria-hidden>
          <Icon size={16} />
        </ThemeIcon>
        <Text size="sm" component="div">
          {children}
        </Text>
      </Group>
    </Paper>
  );
}

function Go({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} fw={600} inherit>
      {children}
    </Anchor>
  );
}
