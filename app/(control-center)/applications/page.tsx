import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { ApplicationList } from './_components/application-list';

export const metadata: Metadata = { title: 'Applications' };

export default async function ApplicationsPage() {
  const member = await currentMember();
  return <ApplicationList canEdit={member?.role === 'OWNER'} />;
}
