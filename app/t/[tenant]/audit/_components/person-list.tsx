'use client';

import { Button, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useRef } from 'react';
import { withCurrent } from '../../_components/forms/select-options';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { keysetPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';

type Page<Line> = { lines: Line[]; previous: string | null; next: string | null };

/** What the table of a list gets. */
export type TableProps<Line> = { lines: Line[]; busy: boolean; frame: Ref<HTMLDivElement> };

type Turn = { cursor: string | null; back: boolean };

type Props<Line> = {
  list: UseQueryResult<Page<Line>, { message: string }>;
  filters: ReactNode;
  empty: { title: string; text: string };
  table: (props: TableProps<Line>) => ReactNode;
  href: (patch: Turn) => string;
  go: (patch: Turn) => void;
};

/** A list of what members did, with its filters and pages. */
export function PersonList<Line>({ list, filters, empty, table, href, go }: Props<Line>) {
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
        <LoadingRows rows={8} height={44} />
      ) : data.lines.length === 0 ? (
        <EmptyState title={empty.title}>{empty.text}</EmptyState>
      ) : (
        <div>
          {table({ lines: data.lines, busy, frame })}
          <Pager {...keysetPages(data)} href={href} go={turnPage} />
        </div>
      )}
    </Stack>
  );
}

type Choice = { value: string; label: string };

type FilterProps = {
  person: string | null;
  /** The second filter. Its first choice has the value `''` and means any. */
  other: { label: string; value: string | null; choices: Choice[]; onChange: (value: string) => void };
  onPerson: (person: string | null) => void;
  onClear: () => void;
};

/** The filters of such a list: the person, and one more. */
export function PersonFilters({ person, other, onPerson, onClear }: FilterProps) {
  const trpc = useTRPC();
  const choices = useQuery({ ...trpc.audit.choices.queryOptions(), staleTime: 60_000 });
  const people = (choices.data?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 3, lg: 5 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Person"
        value={person ?? ''}
        onChange={(event) => onPerson(event.currentTarget.value || null)}
        data={withCurrent([{ value: '', label: 'Anyone' }, ...people], person)}
      />
      <NativeSelect
        label={other.label}
        value={other.value ?? ''}
        onChange={(event) => other.onChange(event.currentTarget.value)}
        data={other.choices}
      />
      <Button variant="default" disabled={person === null && other.value === null} onClick={onClear}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}
