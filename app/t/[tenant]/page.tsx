import { redirect } from 'next/navigation';
import { Messages, pageTitle, translator } from '@/app/_components/messages';
import { tenantPath } from '@/app/_components/tenant-path';
import { currentMember } from '@/app/_session';
import { Prefetch } from './_components/prefetch';
import { mayChangeBookings } from './_components/roles';
import { PageHeader } from './_components/shell/page-header';
import { OverviewView } from './overview/_components/overview-view';

export const generateMetadata = pageTitle('overview.page', 'title');

type Props = { searchParams: Promise<{ period?: string | string[] }> };

/** The Overview is about partners. The front desk must not see anything about partners and is redirected to Bookings. */
export default async function OverviewPage({ searchParams }: Props) {
  const [{ period }, member, t] = await Promise.all([searchParams, currentMember(), translator('overview.page')]);
  if (member?.role === 'FRONT_DESK') redirect(tenantPath(member.tenantId, '/bookings'));
  return (
    <Prefetch
      load={({ trpc: { overview }, queries }) => [
        queries.prefetchQuery(overview.progress.queryOptions()),
        queries.prefetchQuery(overview.attention.queryOptions()),
        queries.prefetchQuery(overview.outside.queryOptions()),
        queries.prefetchQuery(overview.bookable.queryOptions()),
        queries.prefetchQuery(overview.today.queryOptions()),
        queries.prefetchQuery(overview.traffic.queryOptions({ period: period === '7d' ? '7d' : '24h' })),
        queries.prefetchQuery(overview.errors.queryOptions({ period: period === '7d' ? '7d' : '24h' })),
        queries.prefetchQuery(overview.webhooks.queryOptions()),
      ]}
    >
      <PageHeader title={t('title')} lead={t('lead')} />
      <Messages of={['overview', 'requests', 'applications']}>
        <OverviewView seesNames={mayChangeBookings(member?.role)} />
      </Messages>
    </Prefetch>
  );
}
