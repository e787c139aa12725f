import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewLocation } from '../../_components/new-location';

export const metadata: Metadata = { title: 'New location' };

export default async function Page() {
  const member = await currentMember();
  return <NewLocation canEdit={member?.role === 'OWNER'} />;
}
