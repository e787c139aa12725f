import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../../_components/prefetch';
import { listInput, PARSERS } from '../_components/list-state';
import { RecordListPage } from '../_components/pages/lists';

export const generateMetadata = pageTitle('catalog', 'pages.specialists');

type Props = { searchParams: Promise<SearchParams> };

const loadState = createLoader(PARSERS);

export default async function Page({ searchParams }: Props) {
  const [state, member] = await Promise.all([loadState(searchParams), currentMember()]);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.catalog.specialists.list.queryOptions(listInput(state))),
      ]}
    >
      <RecordListPage kind="specialist" canEdit={member?.role === 'OWNER'} />
    </Prefetch>
  );
}
