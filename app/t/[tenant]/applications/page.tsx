import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../_components/prefetch';
import { ApplicationList } from './_components/application-list';
import { PARSERS } from './_components/list-query';

export const metadata: Metadata = { title: 'Applications' };

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
