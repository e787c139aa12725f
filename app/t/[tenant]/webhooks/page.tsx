import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle, translator } from '@/app/_components/messages';
import { Prefetch } from '../_components/prefetch';
import { PageHeader } from '../_components/shell/page-header';
import { EndpointsView } from './_components/endpoints-view';
import { PARSERS } from './_components/query';

export const generateMetadata = pageTitle('webhooks', 'list.title');

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function WebhooksPage({ searchParams }: Props) {
  const [t, query] = await Promise.all([translator('webhooks'), loadQuery(searchParams)]);
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.webhooks.endpoints.queryOptions(query))]}>
      <PageHeader title={t('list.title')} lead={t('list.lead')} />
      <EndpointsView />
    </Prefetch>
  );
}
