'use client';

import { Anchor, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@/app/_components/link';
import { formatCount } from '../../_components/format';
import { ErrorState, LoadingRows } from '../../_components/states';
import { Column, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { formatShare } from '../../requests/_components/format';
import { requestsHref } from '../../requests/_components/query';
import type { Period } from './changes';
import type { Errors as Data } from './types';

/** The refused and failed requests of a period by application, code, and reason. Each row leads to its requests. */
export function Errors({ period }: { period: Period }) {
  const trpc = useTRPC();
  const errors = useQuery({
    ...trpc.overview.errors.queryOptions({ period }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <Stack component="section" gap="sm" aria-labelledby="errors">
      <Title id="errors" order={3} size="h5">
        Errors by application, code, and reason
      </Title>
      {errors.data ? (
        <Groups {...errors.data} period={period} />
      ) : errors.isError ? (
        <ErrorState error={errors.error} retry={() => void errors.refetch()} />
      ) : (
        <LoadingRows rows={2} />
      )}
    </Stack>
  );
}

function Groups({ groups, complete, period }: Data & { period: Period }) {
  if (groups === null)
    return (
      <Text size="sm" c="dimmed">
        There are too many requests to group. Choose 24 hours, or filter the Requests page.
      </Text>
    );
  if (groups.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No request of this period was refused or failed.
      </Text>
    );
  return (
    <>
      <DataTable caption="Errors by application, code, and reason" label="List of errors" minWidth={640}>
        <Table.Thead>
          <Table.Tr>
            <Column label="Application" />
            <Column label="Code" />
            <Column label="Reason" />
            <Column label="Errors" numeric />
            <Column label="Share of its requests" numeric />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) => (
            <Row key={`${group.application.id} ${group.code} ${group.reason}`} group={group} period={period} />
          ))}
        </Table.Tbody>
      </DataTable>
      {!complete && (
        <Text size="sm" c="dimmed">
          Only the most frequent of the latest errors are shown.
        </Text>
      )}
    </>
  );
}

function Row({ group, period }: { group: NonNullable<Data['groups']>[number]; period: Period }) {
  const { application, code, reason, errors, requests } = group;
  const href = requestsHref({ period, status: 'error', application: application.id, code: code || null, reason });
  return (
    <Table.Tr>
      <Table.Td data-label="Application" data-wide>
        <Anchor
          component={Link}
          href={href}
          fz={13}
          fw={600}
          aria-label={`Requests of ${application.name} with ${code} ${reason ?? ''}`.trim()}
        >
          {application.name}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Code">{code}</Table.Td>
      <Table.Td data-label="Reason">{reason ?? '–'}</Table.Td>
      <Table.Td data-label="Errors" data-numeric>
        {formatCount(errors)}
      </Table.Td>
      <Table.Td data-label="Share of its requests" data-numeric>
        {formatShare(errors, requests)}
      </Table.Td>
    </Table.Tr>
  );
}
