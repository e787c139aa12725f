import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { KeySection } from './_components/key-section';

export const metadata: Metadata = { title: 'Keys' };

type Props = { params: Promise<{ id: string }> };

export default async function KeysPage({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <KeySection applicationId={id} canEdit={member?.role === 'OWNER'} />;
}
