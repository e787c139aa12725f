import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { SpecialistPage } from '../../_components/specialist-page';

export const metadata: Metadata = { title: 'Specialist' };

type Props = { params: Promise<{ id: string }> };

export default async function Page({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <SpecialistPage id={id} canEdit={member?.role === 'OWNER'} />;
}
