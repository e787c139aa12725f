import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewServicePage } from '../../_components/pages/service';

export const metadata: Metadata = { title: 'New service' };

export default async function Page() {
  const member = await currentMember();
  return <NewServicePage canEdit={member?.role === 'OWNER'} />;
}
