import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { currentMember } from '@/app/_session';
import { timeZoneOf } from '@/lib/control-center/exports/file-name';
import { systemClock } from '@/lib/platform/clock';
import { inTenant } from '@/lib/platform/tenant-scope';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { Prefetch } from '../_components/prefetch';
import { PageHeader } from '../_components/shell/page-header';
import { PARSERS, statisticsInput } from './_components/query';
import { StatisticsView } from './_components/statistics-view';

export const metadata: Metadata = { title: 'Statistics' };

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function StatisticsPage({ searchParams }: Props) {
  const [query, member] = await Promise.all([loadQuery(searchParams), currentMember()]);
  const zone = member ? await inTenant(member.tenantId, () => timeZoneOf(member.tenantId)) : 'UTC';
  // The periods end today in the time zone of the business, whatever the clock of the browser says.
  const today = localTimestamp(storedZone(zone), systemClock()).slice(0, 10);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.statistics.bookings.queryOptions(statisticsInput(query, today))),
        queries.prefetchQuery(trpc.bookings.choices.queryOptions()),
      ]}
    >
      <PageHeader title="Statistics" lead="Bookings by the date of their start, in each location’s local time." />
      <StatisticsView today={today} />
    </Prefetch>
  );
}
