import { pageTitle } from '@/app/_components/messages';
import { Prefetch } from '../_components/prefetch';
import { FeedsView } from './_components/feeds-view';

export const generateMetadata = pageTitle('calendarFeeds', 'view.title');

export default function CalendarFeedsPage() {
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.calendar_feeds.list.queryOptions())]}>
      <FeedsView />
    </Prefetch>
  );
}
