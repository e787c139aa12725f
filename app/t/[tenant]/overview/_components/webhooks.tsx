'use client';

import { Anchor, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@/app/_components/link';
import { formatCount } from '../../_components/format';
import { ErrorState, LoadingRows } from '../../_components/states';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { LINE_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { EndpointState } from '../../applications/[id]/webhook/_components/state';
import { successRate } from '../../applications/[id]/webhook/_components/words';
import type { WebhookHealth } from './types';

/** The health of up to 20 webhook endpoints. Inactive and failing endpoints come first. */
export function Webhooks() {
  const trpc = useTRPC();
  const health = useQuery({ ...trpc.overview.webhooks.queryOptions(), refetchInterval: 60_000 });
  return (
    <Stack component="section" gap="sm" aria-labelledby="webhooks">
      <Group justify="space-between">
        <Title id="webhooks" order={2} size="h4">
          Webhooks
        </Title>
        <Anchor component={Link} href="/webhooks" size="sm" fw={600}>
          View all webhooks
        </Anchor>
      </Group>
      {health.data ? (
        <Health endpoints={health.data} />
      ) : health.isError ? (
        <ErrorState error={health.error} retry={() => void health.refetch()} />
      ) : (
        <LoadingRows rows={2} />
      )}
    </Stack>
  );
}

function Health({ endpoints }: { endpoints: WebhookHealth }) {
  if (endpoints.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No application has a webhook endpoint. Create an endpoint on an application’s Webhook page.
      </Text>
    );
  }
  return (
    <DataTable caption="Webhook endpoints" minWidth={640}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Application', 'Status', 'Success rate (24 h)', 'Pending', 'Oldest pending']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {endpoints.map((endpoint) => (
          <Row key={endpoint.application.id} endpoint={endpoint} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Row({ endpoint }: { endpoint: WebhookHealth[number] }) {
  const { application, pending, oldest_pending_at: oldest } = endpoint;
  const href = webhookHref(application.id);
  return (
    <Table.Tr>
      <Table.Td data-label="Application" data-wide>
        <Anchor component={Link} href={href} fz={13} fw={600}>
          {application.name}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Status">
        <EndpointState state={endpoint.state} failing={endpoint.failing} />
      </Table.Td>
      <Table.Td data-label="Success rate (24 h)">{successRate(endpoint)}</Table.Td>
      <Table.Td data-label="Pending">
        <Anchor component={Link} href={`${href}?state=${endpoint.state === 'active' ? 'pending' : 'held'}`} fz={13}>
          {formatCount(pending)}
          <VisuallyHidden> pending deliveries of {application.name}</VisuallyHidden>
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Oldest pending">{oldest ? <Time value={oldest} options={LINE_TIME} /> : 'None'}</Table.Td>
    </Table.Tr>
  );
}
