import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewSpecialistPage } from '../../_components/pages/specialist';

export const metadata: Metadata = { title: 'New specialist' };

export default async function Page() {
  const member = await currentMember();
  return <NewSpecialistPage canEdit={member?.role === 'OWNER'} />;
}
