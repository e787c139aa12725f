'use client';

import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import { plural } from '../../_components/format';
import { secretProblem } from '../../_components/pasted';
import { EmptyState, ErrorState, LoadingRows, PastTheEnd } from '../../_components/states';
import type { ListQuery } from './list-query';

/** Milliseconds of rest after which what was typed is searched for. */
const REST = 250;

type Go = (patch: Partial<ListQuery>) => void;

/** Search and filter of a list. */
export function ListToolbar({ query, go }: { query: ListQuery; go: Go }) {
  const [text, setText] = useState(query.search ?? '');
  const search = useDebouncedCallback((value: string) => {
    if (!secretProblem(value)) go({ search: value.trim() || null });
  }, REST);
  // Back, forward and "show all" change the address: the box follows.
  useEffect(() => setText(query.search ?? ''), [query.search]);
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        aria-label="Search by name or id"
        placeholder="Search by name or id"
        leftSection={<IconSearch size={16} aria-hidden />}
        w={{ base: '100%', xs: 300 }}
        maxLength={200}
        value={text}
        error={secretProblem(text)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <SegmentedControl
        aria-label="State"
        value={query.status ?? 'any'}
        onChange={(value) => go({ status: value === 'any' ? null : (value as ListQuery['status']) })}
        data={[
          { value: 'any', label: 'All' },
          { value: 'published', label: 'Published' },
          { value: 'unpublished', label: 'Not published' },
        ]}
      />
    </Group>
  );
}

/** The button that begins a new record. */
export function NewButton({ href, label }: { href: string; label: string }) {
  return (
    <Button component={Link} href={href} leftSection={<IconPlus size={16} aria-hidden />}>
      {label}
    </Button>
  );
}

type Page<Row> = { records: Row[]; total: number; page_size: number };

type Props<Row> = {
  /** What one record is called: `service`. */
  what: string;
  query: ListQuery;
  go: Go;
  list: { data?: Page<Row>; isError: boolean; error: { message: string } | null; refetch: () => unknown };
  /** Begins the first one; null for who may not. */
  create: ReactNode;
  empty: string;
  children: (rows: Row[]) => ReactNode;
};

/** The rows of a list, or why there are none. */
export function ListResults<Row>({ what, query, go, list, create, empty, children }: Props<Row>) {
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} height={52} />;
  const { records, total, page_size: size } = list.data;
  if (total === 0 && (query.search !== null || query.status !== null)) {
    const all = (
      <Button variant="default" onClick={() => go({ search: null, status: null })}>
        Show all
      </Button>
    );
    return (
      <EmptyState title={`No ${what} fits`} action={all}>
        None has this name or this state.
      </EmptyState>
    );
  }
  if (total === 0) {
    return (
      <EmptyState title={`No ${what}s yet`} action={create}>
        {empty}
      </EmptyState>
    );
  }
  return (
    <>
      {records.length === 0 ? <PastTheEnd page={query.page} onFirst={() => go({ page: 1 })} /> : children(records)}
      <Pager what={what} page={query.page} total={total} size={size} go={go} />
    </>
  );
}

type PagerProps = { what: string; page: number; total: number; size: number; go: Go };

function Pager({ what, page, total, size, go }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / size));
  return (
    <Group justify="space-between" component="nav" aria-label="Pages">
      <Text size="sm" c="dimmed" role="status">
        {last === 1 || page > last ? plural(total, what) : `Page ${page} of ${last}, ${plural(total, what)}`}
      </Text>
      {(last > 1 || page > 1) && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={page <= 1}
            onClick={() => go({ page: Math.min(page - 1, last) })}
          >
            Previous
          </Button>
          <Button variant="default" size="xs" disabled={page >= last} onClick={() => go({ page: page + 1 })}>
            Next
          </Button>
        </Group>
      )}
    </Group>
  );
}
