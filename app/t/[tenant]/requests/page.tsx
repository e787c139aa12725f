import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { Prefetch } from '../_components/prefetch';
import { PageHeader } from '../_components/shell/page-header';
import { filterInput, listInput, normalizeQuery, PARSERS } from './_components/query';
import { RequestsView } from './_components/requests-view';

export const metadata: Metadata = { title: 'Requests' };

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function RequestsPage({ searchParams }: Props) {
  const query = normalizeQuery(await loadQuery(searchParams));
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.requests.list.queryOptions(listInput(query))),
        queries.prefetchQuery(trpc.requests.histogram.queryOptions(filterInput(query))),
        queries.prefetchQuery(trpc.requests.choices.queryOptions()),
      ]}
    >
      <PageHeader title="Requests" lead="Partner API requests from the last 30 days." />
      <RequestsView />
    </Prefetch>
  );
}
