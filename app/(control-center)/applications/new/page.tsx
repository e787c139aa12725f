import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { PageHeader } from '../../_components/page-header';
import { EmptyState } from '../../_components/states';
import { NewApplication } from './_components/new-application';

export const metadata: Metadata = { title: 'New application' };

export default async function NewApplicationPage() {
  const member = await currentMember();
  return (
    <>
      <PageHeader
        title="New application"
        lead="One application for each of your partners’ servers. You issue its keys next."
        trail={[{ href: '/applications', label: 'Applications' }]}
      />
      {member?.role === 'OWNER' ? (
        <NewApplication />
      ) : (
        <EmptyState title="Not for your role">An owner of this Control Center can create applications.</EmptyState>
      )}
    </>
  );
}
