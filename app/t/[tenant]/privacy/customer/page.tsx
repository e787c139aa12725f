import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../../_components/prefetch';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { CustomerView } from './_components/customer-view';

export const metadata: Metadata = { title: 'Data of a customer' };

export default async function CustomerDataPage() {
  const member = await currentMember();
  const header = (
    <PageHeader
      title="Data of a customer"
      lead="Everything that is stored about one person: hand it out, or erase it."
      trail={[{ href: '/privacy', label: 'Privacy' }]}
    />
  );
  if (member?.role !== 'OWNER')
    return (
      <>
        {header}
        <EmptyState title="You do not have access">Only owners see and erase the data of a customer.</EmptyState>
      </>
    );
  return (
    <Prefetch load={({ trpc, queries }) => [queries.prefetchQuery(trpc.privacy.customer.erasures.queryOptions())]}>
      {header}
      <CustomerView />
    </Prefetch>
  );
}
