'use client';

import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@/app/_components/link';
import { formatCount, plural } from '../../_components/format';
import { SearchField } from '../../_components/search/search-field';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows, PastTheEnd } from '../../_components/states';
import { numberedPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { ApplicationTable } from './application-table';
import { changeQuery, type ListQuery, PARSERS } from './list-query';

/** Lists the business's applications, each with its traffic and a button to suspend it. */
export function ApplicationList({ canEdit }: { canEdit: boolean }) {
  const state = useUrlState(PARSERS, { change: changeQuery });
  const { query, go } = state;
  return (
    <>
      <PageHeader
        title="Applications"
        lead="Partner applications that use the API, with their permissions and traffic."
        actions={canEdit && <NewApplicationLink />}
      />
      <Stack gap="md">
        <Group gap="sm">
          <SearchField
            label="Search by name or ID"
            value={query.search}
            onSearch={(search) => go({ search }, 'replace')}
          />
          <SegmentedControl
            aria-label="Status"
            value={query.status}
            onChange={(status) => go({ status: status as ListQuery['status'] })}
            data={[
              { value: 'any', label: 'All' },
              { value: 'active', label: 'Active' },
              { value: 'suspended', label: 'Suspended' },
            ]}
          />
        </Group>
        <Results state={state} canEdit={canEdit} />
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

type State = ReturnType<typeof useUrlState<typeof PARSERS>>;

function Results({ state: { query, href, go }, canEdit }: { state: State; canEdit: boolean }) {
  const trpc = useTRPC();
  const list = useQuery(trpc.applications.list.queryOptions(query, { placeholderData: keepPreviousData }));
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} height={64} />;
  const { applications, total, page_size: size } = list.data;
  if (total === 0) return <NoApplications canEdit={canEdit} query={query} go={go} />;
  return (
    <Stack gap="sm">
      {applications.length === 0 ? (
        <PastTheEnd page={query.page} onFirst={() => go({ page: 1 })} />
      ) : (
        <ApplicationTable
          applications={applications}
          query={query}
          busy={list.isPlaceholderData}
          canEdit={canEdit}
          onSort={(sort, direction) => go({ sort, direction })}
        />
      )}
      <Pages query={query} total={total} size={size} href={href} go={go} />
    </Stack>
  );
}

function NoApplications({ canEdit, query, go }: Pick<State, 'query' | 'go'> & { canEdit: boolean }) {
  if (query.search !== '' || query.status !== 'any') {
    const action = (
      <Button variant="default" onClick={() => go({ search: '', status: 'any' })}>
        Show all applications
      </Button>
    );
    return (
      <EmptyState title="No matching applications" action={action}>
        No applications match the search and status.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No applications yet" action={canEdit && <NewApplicationLink />}>
      An application represents one partner integration. It has its own permissions and API keys.
    </EmptyState>
  );
}

type PagesProps = State & { total: number; size: number };

function Pages({ query: { page }, total, size, href, go }: PagesProps) {
  const { last, previous, next } = numberedPages(page, total, size);
  const range = `${formatCount((page - 1) * size + 1)}–${formatCount(Math.min(page * size, total))}`;
  const summary = last === 1 || page > last ? plural(total, 'application') : `${range} of ${formatCount(total)}`;
  return <Pager previous={previous} next={next} summary={summary} href={href} go={go} />;
}
