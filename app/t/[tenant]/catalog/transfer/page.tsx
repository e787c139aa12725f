import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { TransferView } from './_components/transfer-view';

export const metadata: Metadata = { title: 'Import and export' };

export default async function TransferPage() {
  const member = await currentMember();
  return <TransferView canEdit={member?.role === 'OWNER'} />;
}
