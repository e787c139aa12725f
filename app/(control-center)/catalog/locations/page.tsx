import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { LocationList } from '../_components/location-list';

export const metadata: Metadata = { title: 'Locations' };

export default async function LocationsPage() {
  const member = await currentMember();
  return <LocationList canEdit={member?.role === 'OWNER'} />;
}
