import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { NewRecordPage } from '../../_components/record-pages';

export const metadata: Metadata = { title: 'New specialist' };

export default async function Page() {
  const member = await currentMember();
  return <NewRecordPage kind="specialist" canEdit={member?.role === 'OWNER'} />;
}
