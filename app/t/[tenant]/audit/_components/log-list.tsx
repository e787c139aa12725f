'use client';

import { Stack } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { optionsOf } from '../../_components/filters/filter-fields';
import { ErrorState, LoadingRows } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { KeysetPager } from '../../_components/tables/pager';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import { useTRPC } from '../../_components/trpc';

type Page<Line> = { lines: Line[]; previous: string | null; next: string | null };

/** What the table of a list gets. */
export type TableProps<Line> = { lines: Line[]; busy: boolean };

type Turn = { cursor: string | null; back: boolean };

type Props<Line> = {
  list: UseQueryResult<Page<Line>, { message: string }>;
  filters: ReactNode;
  empty: ReactNode;
  rowHeight?: number;
  table: (props: TableProps<Line>) => ReactNode;
  href: (patch: Turn) => string;
  go: (patch: Turn) => void;
};

/** A list of what members did, with its filters and pages. */
export function LogList<Line>({ list, filters, empty, rowHeight = 44, table, href, go }: Props<Line>) {
  const { data, isPlaceholderData: busy } = list;
  if (list.isError)
    return (
      <ErrorState
        error={list.error}
        retry={() => void list.refetch()}
        toFirst={() => go({ cursor: null, back: false })}
      />
    );
  return (
    <Stack gap="md">
      {filters}
      {!data ? (
        <LoadingRows rows={8} height={rowHeight} />
      ) : data.lines.length === 0 ? (
        empty
      ) : (
        <div>
          {table({ lines: data.lines, busy })}
          <KeysetPager previous={data.previous} next={data.next} href={href} go={go} />
        </div>
      )}
    </Stack>
  );
}

type MemberTableProps<Line> = TableProps<Line> & {
  caption: string;
  columns: readonly string[];
  cells: (line: Line) => ReactNode;
};

/** A table of what members did, each row with its date and its member first. */
export function MemberLogTable<Line extends { id: string; at: string; user_name: string }>({
  lines,
  columns,
  cells,
  ...rest
}: MemberTableProps<Line>) {
  return (
    <DataTable minWidth={760} columns={columns} {...rest}>
      {lines.map((line) => (
        <Table.Tr key={line.id}>
          <Table.Td data-label={columns[0]} data-wide="all">
            <Ago value={line.at} both />
          </Table.Td>
          <Table.Td data-label={columns[1]} style={{ overflowWrap: 'anywhere' }}>
            {line.user_name}
          </Table.Td>
          {cells(line)}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/** Returns the filter by a member. */
export function usePersonSelect() {
  const t = useTranslations('audit.filters');
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  return { label: t('person'), any: t('anyone'), options: optionsOf(data?.people) };
}
