'use client';

import { Anchor, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
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
  const t = useTranslations('overview.errors');
  const trpc = useTRPC();
  const errors = useQuery({
    ...trpc.overview.errors.queryOptions({ period }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <Stack component="section" gap="sm" aria-labelledby="errors">
      <Title id="errors" order={3} size="h5">
        {t('title')}
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
  const t = useTranslations('overview.errors');
  if (groups === null)
    return (
      <Text size="sm" c="dimmed">
        {t('tooMany')}
      </Text>
    );
  if (groups.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('none')}
      </Text>
    );
  return (
    <>
      <DataTable caption={t('title')} label={t('list')} minWidth={640} dense>
        <Table.Thead>
          <Table.Tr>
            <Column label={t('application')} />
            <Column label={t('code')} />
            <Column label={t('reason')} />
            <Column label={t('errors')} numeric />
            <Column label={t('share')} numeric />
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
          {t('partial')}
        </Text>
      )}
    </>
  );
}

function Row({ group, period }: { group: NonNullable<Data['groups']>[number]; period: Period }) {
  const t = useTranslations('overview.errors');
  const format = useFormats();
  const { application, code, reason, errors, requests } = group;
  const href = requestsHref({ period, status: 'error', application: application.id, code: code || null, reason });
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader">
        <Anchor
          component={Link}
          href={href}
          fz={13}
          fw={600}
          aria-label={t('requestsOf', { application: application.name, codes: `${code} ${reason ?? ''}`.trim() })}
        >
          {application.name}
        </Anchor>
      </Table.Th>
      <Table.Td data-label={t('code')}>{code}</Table.Td>
      <Table.Td data-label={t('reason')}>{reason ?? '–'}</Table.Td>
      <Table.Td data-label={t('errors')} data-numeric>
        {format.count(errors)}
      </Table.Td>
      <Table.Td data-label={t('share')} data-numeric>
        {formatShare(errors, requests, format)}
      </Table.Td>
    </Table.Tr>
  );
}
