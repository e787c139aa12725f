import type { Metadata } from 'next';
import { Prefetch } from '../_components/prefetch';
import { FeedsView } from './_components/feeds-view';

export const metadata: Metadata = { title: 'Calendar feeds' };

export default function CalendarFeedsPage() {
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.calendar_feeds.list.queryOptions())]}>
      <FeedsView />
    </Prefetch>
  );
}
