import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewLocationPage } from '../../_components/pages/location';

export const metadata: Metadata = { title: 'New location' };

export default async function Page() {
  const member = await currentMember();
  return <NewLocationPage canEdit={member?.role === 'OWNER'} />;
}
