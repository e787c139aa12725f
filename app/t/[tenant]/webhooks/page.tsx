import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { Prefetch } from '../_components/prefetch';
import { PageHeader } from '../_components/shell/page-header';
import { EndpointsView } from './_components/endpoints-view';
import { PARSERS } from './_components/query';

export const metadata: Metadata = { title: 'Webhooks' };

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function WebhooksPage({ searchParams }: Props) {
  const query = await loadQuery(searchParams);
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.webhooks.endpoints.queryOptions(query))]}>
      <PageHeader
        title="Webhooks"
        lead="The webhook endpoints of all applications, with success rates and backlogs. Test events are not counted."
      />
      <EndpointsView />
    </Prefetch>
  );
}
