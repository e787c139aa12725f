import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { LocationPage } from '../../_components/location-page';

export const metadata: Metadata = { title: 'Location' };

type Props = { params: Promise<{ id: string }> };

export default async function Page({ params }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return <LocationPage id={id} canEdit={member?.role === 'OWNER'} />;
}
