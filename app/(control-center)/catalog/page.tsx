import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { RecordListPage } from './_components/record-pages';

export const metadata: Metadata = { title: 'Services' };

export default async function Page() {
  const member = await currentMember();
  return <RecordListPage kind="service" canEdit={member?.role === 'OWNER'} />;
}
