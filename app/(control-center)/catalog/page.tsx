import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { ServiceList } from './_components/service-list';

export const metadata: Metadata = { title: 'Services' };

export default async function ServicesPage() {
  const member = await currentMember();
  return <ServiceList canEdit={member?.role === 'OWNER'} />;
}
