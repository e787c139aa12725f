import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { BlocksView } from './_components/blocks-view';

export const metadata: Metadata = { title: 'Blocked time' };

export default async function Page() {
  const member = await currentMember();
  return <BlocksView canEdit={member?.role === 'OWNER'} />;
}
