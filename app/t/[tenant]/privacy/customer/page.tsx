import { pageTitle, translator } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../../_components/prefetch';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { CustomerView } from './_components/customer-view';

export const generateMetadata = pageTitle('privacy', 'customer.title');

export default async function CustomerDataPage() {
  const [member, t] = await Promise.all([currentMember(), translator('privacy')]);
  const header = (
    <PageHeader
      title={t('customer.title')}
      lead={t('customer.lead')}
      trail={[{ href: '/privacy', label: t('title') }]}
    />
  );
  if (member?.role !== 'OWNER')
    return (
      <>
        {header}
        <EmptyState title={t('customer.noAccess')}>{t('customer.noAccessHint')}</EmptyState>
      </>
    );
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.privacy.customer.erasures.queryOptions())]}>
      {header}
      <CustomerView />
    </Prefetch>
  );
}
