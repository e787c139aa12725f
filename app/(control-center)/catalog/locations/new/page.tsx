import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewRecordPage } from '../../_components/record-pages';

export const metadata: Metadata = { title: 'New location' };

export default async function Page() {
  const member = await currentMember();
  return <NewRecordPage kind="location" canEdit={member?.role === 'OWNER'} />;
}
