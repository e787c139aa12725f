import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../_components/prefetch';
import { ApplicationList } from './_components/application-list';
import { PARSERS } from './_components/list-query';

export const generateMetadata = pageTitle('applications', 'list.title');

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function ApplicationsPage({ searchParams }: Props) {
  const [query, member] = await Promise.all([loadQuery(searchParams), currentMember()]);
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.applications.list.queryOptions(query))]}>
      <ApplicationList canEdit={member?.role === 'OWNER'} />
    </Prefetch>
  );
}
