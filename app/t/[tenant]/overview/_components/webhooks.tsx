'use client';

import { Group, Stack, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { NotLoaded } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { LINE_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { EndpointState } from '../../applications/[id]/webhook/_components/state';
import { rateText } from '../../applications/[id]/webhook/_components/words';
import type { WebhookHealth } from './types';

const COLUMNS = ['application', 'status', 'successRate', 'pending', 'oldest'] as const;

/** The health of up to 20 webhook endpoints. Inactive and failing endpoints come first. */
export function Webhooks() {
  const t = useTranslations('overview.webhooks');
  const trpc = useTRPC();
  const health = useQuery({ ...trpc.overview.webhooks.queryOptions(), refetchInterval: 60_000 });
  return (
    <Stack component="section" gap="sm" aria-labelledby="webhooks">
      <Group justify="space-between">
        <Title id="webhooks" order={2} size="h4">
          {t('title')}
        </Title>
        <TextLink href="/webhooks" fw={600}>
          {t('all')}
        </TextLink>
      </Group>
      {health.data ? <Health endpoints={health.data} /> : <NotLoaded query={health} rows={2} />}
    </Stack>
  );
}

function Health({ endpoints }: { endpoints: WebhookHealth }) {
  const t = useTranslations('overview.webhooks');
  if (endpoints.length === 0) {
    return <Hint>{t('none')}</Hint>;
  }
  return (
    <DataTable caption={t('caption')} minWidth={640} columns={COLUMNS.map((name) => t(name))}>
      {endpoints.map((endpoint) => (
        <Row key={endpoint.application.id} endpoint={endpoint} />
      ))}
    </DataTable>
  );
}

function Row({ endpoint }: { endpoint: WebhookHealth[number] }) {
  const t = useTranslations('overview.webhooks');
  const format = useFormats();
  const states = useTranslations('applications.endpointState');
  const { application, pending, oldest_pending_at: oldest } = endpoint;
  const href = webhookHref(application.id);
  return (
    <Table.Tr>
      <Table.Td data-label={t('application')} data-wide>
        <TextLink href={href} fz={13} fw={600}>
          {application.name}
        </TextLink>
      </Table.Td>
      <Table.Td data-label={t('status')}>
        <EndpointState state={endpoint.state} failing={endpoint.failing} />
      </Table.Td>
      <Table.Td data-label={t('successRate')}>{rateText(states, format, endpoint)}</Table.Td>
      <Table.Td data-label={t('pending')}>
        <TextLink href={`${href}?state=${endpoint.state === 'active' ? 'pending' : 'held'}`} fz={13}>
          {t.rich('pendingOf', {
            ...{ count: format.count(pending), application: application.name },
            hidden: (chunks) => <VisuallyHidden>{chunks}</VisuallyHidden>,
          })}
        </TextLink>
      </Table.Td>
      <Table.Td data-label={t('oldest')}>
        {oldest ? <Time value={oldest} options={LINE_TIME} /> : t('noneOldest')}
      </Table.Td>
    </Table.Tr>
  );
}
