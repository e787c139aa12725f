import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewSpecialist } from '../../_components/new-specialist';

export const metadata: Metadata = { title: 'New specialist' };

export default async function Page() {
  const member = await currentMember();
  return <NewSpecialist canEdit={member?.role === 'OWNER'} />;
}
