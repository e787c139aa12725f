import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewService } from '../../_components/new-service';

export const metadata: Metadata = { title: 'New service' };

export default async function Page() {
  const member = await currentMember();
  return <NewService canEdit={member?.role === 'OWNER'} />;
}
