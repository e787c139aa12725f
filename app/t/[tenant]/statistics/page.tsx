import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle, translator } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { timeZoneOf } from '@/lib/control-center/exports/file-name';
import { inTenant } from '@/lib/platform/tenant-scope';
import { localTimestamp, storedZone } from '@/lib/platform/time-zones';
import { Prefetch } from '../_components/prefetch';
import { PageHeader } from '../_components/shell/page-header';
import { EmptyState } from '../_components/states';
import { PARSERS, statisticsInput } from './_components/query';
import { StatisticsView } from './_components/statistics-view';

export const generateMetadata = pageTitle('statistics', 'title');

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(PARSERS);

export default async function StatisticsPage({ searchParams }: Props) {
  const [query, member, t] = await Promise.all([loadQuery(searchParams), currentMember(), translator('statistics')]);
  const header = <PageHeader title={t('title')} lead={t('lead')} />;
  if (member?.role !== 'OWNER') {
    const tStates = await translator('common.states');
    return (
      <>
        {header}
        <EmptyState title={tStates('noAccess')}>{tStates('noAccessText')}</EmptyState>
      </>
    );
  }
  const zone = await inTenant(member.tenantId, () => timeZoneOf(member.tenantId));
  // The periods end today in the time zone of the business, whatever the clock of the browser says.
  const today = localTimestamp(storedZone(zone), new Date()).slice(0, 10);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.statistics.bookings.queryOptions(statisticsInput(query, today))),
        queries.prefetchQuery(trpc.bookings.choices.queryOptions()),
      ]}
    >
      {header}
      <StatisticsView today={today} />
    </Prefetch>
  );
}
