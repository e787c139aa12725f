import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle, translator } from '@/app/_components/messages';
import { Prefetch } from '../_components/prefetch';
import { PageHeader } from '../_components/shell/page-header';
import { filterInput, listInput, normalizeQuery, PARSERS } from './_components/query';
import { RequestsView } from './_components/requests-view';

export const generateMetadata = pageTitle('requests.page', 'title');

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function RequestsPage({ searchParams }: Props) {
  const [t, given] = await Promise.all([translator('requests.page'), loadQuery(searchParams)]);
  const query = normalizeQuery(given);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.requests.list.queryOptions(listInput(query))),
        queries.prefetchQuery(trpc.requests.histogram.queryOptions(filterInput(query))),
        queries.prefetchQuery(trpc.requests.choices.queryOptions()),
      ]}
    >
      <PageHeader title={t('title')} lead={t('lead')} />
      <RequestsView />
    </Prefetch>
  );
}
