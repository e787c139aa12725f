import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { RecordPage } from '../../_components/record-pages';

export const metadata: Metadata = { title: 'Specialist' };

type Props = { params: Promise<{ id: string }> };

export default async function Page({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <RecordPage kind="specialist" id={id} canEdit={member?.role === 'OWNER'} />;
}
