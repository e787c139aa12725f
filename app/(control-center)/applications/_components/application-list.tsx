'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { PageHeader } from '../../_components/page-header';
import { EmptyState, ErrorState, LoadingRows, PastTheEnd } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { ApplicationTable } from './application-table';
import { formatCount, plural } from './format';
import { ListToolbar } from './list-toolbar';
import { type ListQuery, useListQuery } from './use-list-query';

/** The tenant's applications: find one, see how it fares, suspend it. */
export function ApplicationList({ canEdit }: { canEdit: boolean }) {
  const { query, change, isFiltered } = useListQuery();
  return (
    <>
      <PageHeader
        title="Applications"
        lead="Your partners’ servers: what each may do here, and how it fares."
        actions={canEdit && <NewApplicationLink />}
      />
      <Stack gap="md">
        <ListToolbar query={query} onChange={change} />
        <Results
          query={query}
          canEdit={canEdit}
          isFiltered={isFiltered}
          onChange={change}
          clear={() => change({ search: '', status: 'any' })}
        />
      </Stack>
    </>
  );
}

function NewApplicationLink() {
  return (
    <Button component={Link} href="/applications/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New application
    </Button>
  );
}

type ResultsProps = {
  query: ListQuery;
  canEdit: boolean;
  isFiltered: boolean;
  onChange: (part: Partial<ListQuery>) => void;
  clear: () => void;
};

function Results({ query, canEdit, isFiltered, onChange, clear }: ResultsProps) {
  const trpc = useTRPC();
  const list = useQuery(trpc.applications.list.queryOptions(query, { placeholderData: keepPreviousData }));
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} height={64} />;
  const { applications, total, page_size: pageSize } = list.data;
  if (total === 0) return <Nothing canEdit={canEdit} isFiltered={isFiltered} clear={clear} />;
  return (
    <Stack gap="sm">
      {applications.length === 0 ? (
        <PastTheEnd page={query.page} onFirst={() => onChange({ page: 1 })} />
      ) : (
        <ApplicationTable
          applications={applications}
          query={query}
          busy={list.isPlaceholderData}
          canEdit={canEdit}
          onSort={(sort, direction) => onChange({ sort, direction })}
        />
      )}
      <Pages query={query} total={total} pageSize={pageSize} onPage={(page) => onChange({ page })} />
    </Stack>
  );
}

function Nothing({ canEdit, isFiltered, clear }: Pick<ResultsProps, 'canEdit' | 'isFiltered' | 'clear'>) {
  if (isFiltered) {
    const action = (
      <Button variant="default" onClick={clear}>
        Show all applications
      </Button>
    );
    return (
      <EmptyState title="No application fits" action={action}>
        None has this name or this status.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No applications yet" action={canEdit && <NewApplicationLink />}>
      An application stands for one partner’s server. It says what that server may do, and its keys let it in.
    </EmptyState>
  );
}

type PagesProps = { query: ListQuery; total: number; pageSize: number; onPage: (page: number) => void };

function Pages({ query: { page }, total, pageSize, onPage }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const shown = `${formatCount((page - 1) * pageSize + 1)}–${formatCount(Math.min(page * pageSize, total))}`;
  return (
    <Group justify="space-between" component="nav" aria-label="Pages">
      <Text size="sm" c="dimmed" role="status">
        {last === 1 || page > last ? plural(total, 'application') : `${shown} of ${formatCount(total)}`}
      </Text>
      {(last > 1 || page > 1) && (
        <Group gap="xs">
          <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, last))}>
            Previous
          </Button>
          <Button variant="default" size="xs" disabled={page >= last} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </Group>
      )}
    </Group>
  );
}
