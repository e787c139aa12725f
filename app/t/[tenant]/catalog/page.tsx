import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../_components/prefetch';
import { PARSERS, serviceListInput } from './_components/list-state';
import { RecordListPage } from './_components/pages/lists';

export const generateMetadata = pageTitle('catalog', 'pages.services');

type Props = { searchParams: Promise<SearchParams> };

const loadState = createLoader(PARSERS);

export default async function Page({ searchParams }: Props) {
  const [state, member] = await Promise.all([loadState(searchParams), currentMember()]);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.catalog.services.list.queryOptions(serviceListInput(state))),
        queries.prefetchQuery(trpc.catalog.services.categories.queryOptions()),
      ]}
    >
      <RecordListPage kind="service" canEdit={member?.role === 'OWNER'} />
    </Prefetch>
  );
}
