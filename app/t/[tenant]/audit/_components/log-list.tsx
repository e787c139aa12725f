'use client';

import { Stack } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { optionsOf } from '../../_components/filters/filter-fields';
import { ErrorState, LoadingRows } from '../../_components/states';
import { keysetPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';

type Page<Line> = { lines: Line[]; previous: string | null; next: string | null };

/** What the table of a list gets. */
export type TableProps<Line> = { lines: Line[]; busy: boolean; frame: Ref<HTMLDivElement> };

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
  const frame = useRef<HTMLDivElement>(null);
  const turnPage = (turn: Turn) => {
    go(turn);
    frame.current?.focus();
  };
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
          {table({ lines: data.lines, busy, frame })}
          <Pager {...keysetPages(data)} href={href} go={turnPage} />
        </div>
      )}
    </Stack>
  );
}

/** Returns the filter by a member. */
export function usePersonSelect() {
  const t = useTranslations('audit.filters');
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  return { label: t('person'), any: t('anyone'), options: optionsOf(data?.people) };
}
