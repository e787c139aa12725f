'use client';

import { Paper, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PageHeader } from '../../_components/page-header';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { BusinessPanel } from './business-panel';
import { ResetPanel } from './reset-panel';

const SCHEDULERS = { embedded: 'The worker in the server', inngest: 'Inngest' } as const;

/** What this deployment is, whose business, and in TEST its resets. */
export function EnvironmentView() {
  const trpc = useTRPC();
  const { data, error, refetch, isPending } = useQuery(trpc.environment.get.queryOptions());
  return (
    <>
      <PageHeader
        title="Environment"
        lead="TEST and LIVE are separate deployments: other data, other keys, other people."
      />
      {isPending && <LoadingRows rows={7} />}
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data && (
        <Stack gap="lg" maw={760}>
          <Facts
            rows={[
              ['Environment', data.environment === 'TEST' ? 'TEST: for trying things out' : 'LIVE: real bookings'],
              ['Origin', data.origin],
              ['Issuer of sign-ins', data.issuer],
              ['Database', data.database],
              ['Node.js', data.node_version],
              ['Deliveries and jobs', SCHEDULERS[data.scheduler]],
              ['Payments', 'Disabled: the API takes no payments'],
            ]}
          />
          <BusinessPanel saved={data.business} />
          {data.reset && <ResetPanel tenantName={data.tenant_name} reset={data.reset} />}
        </Stack>
      )}
    </>
  );
}

function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="facts">
      <Title order={2} size="h5" id="facts" mb="xs">
        This deployment
      </Title>
      <Table layout="auto" verticalSpacing="xs">
        <Table.Caption>
          <VisuallyHidden>Facts about this deployment</VisuallyHidden>
        </Table.Caption>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={500} w="40%">
                {name}
              </Table.Th>
              <Table.Td>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {value}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
