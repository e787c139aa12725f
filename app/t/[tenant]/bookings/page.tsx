import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../_components/prefetch';
import { mayChangeBookings } from '../_components/roles';
import { BookingsView } from './_components/list/bookings-view';
import { listInput, PARSERS } from './_components/query';

export const generateMetadata = pageTitle('bookings', 'list.title');

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function BookingsPage({ searchParams }: Props) {
  const [query, member] = await Promise.all([loadQuery(searchParams), currentMember()]);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.bookings.list.queryOptions(listInput(query))),
        queries.prefetchQuery(trpc.bookings.choices.queryOptions()),
      ]}
    >
      <BookingsView findsByPhone={mayChangeBookings(member?.role)} exports={member?.role === 'OWNER'} />
    </Prefetch>
  );
}
