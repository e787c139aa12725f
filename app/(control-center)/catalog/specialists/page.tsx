import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { SpecialistList } from '../_components/specialist-list';

export const metadata: Metadata = { title: 'Specialists' };

export default async function SpecialistsPage() {
  const member = await currentMember();
  return <SpecialistList canEdit={member?.role === 'OWNER'} />;
}
