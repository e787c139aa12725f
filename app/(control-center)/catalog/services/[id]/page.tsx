import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { ServicePage } from '../../_components/service-page';

export const metadata: Metadata = { title: 'Service' };

type Props = { params: Promise<{ id: string }> };

export default async function Page({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <ServicePage id={id} canEdit={member?.role === 'OWNER'} />;
}
