import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { NewApplication } from './_components/new-application';

export const metadata: Metadata = { title: 'New application' };

export default async function NewApplicationPage() {
  const member = await currentMember();
  return (
    <>
      <PageHeader
        title="New application"
        lead="Create one application per partner integration. You issue the application’s keys in the next step."
        trail={[{ href: '/applications', label: 'Applications' }]}
      />
      {member?.role === 'OWNER' ? (
        <NewApplication />
      ) : (
        <EmptyState title="You do not have access">Only owners can create applications.</EmptyState>
      )}
    </>
  );
}
