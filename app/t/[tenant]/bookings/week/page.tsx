import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { mayChangeBookings } from '../../_components/roles';
import { WeekView } from './_components/week-view';

export const metadata: Metadata = { title: 'Week schedule' };

export default async function WeekPage() {
  const member = await currentMember();
  return <WeekView canEdit={mayChangeBookings(member?.role)} />;
}
