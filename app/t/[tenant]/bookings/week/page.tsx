import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { mayChangeBookings } from '../../_components/roles';
import { WeekView } from './_components/week-view';

export const generateMetadata = pageTitle('bookings', 'week.title');

export default async function WeekPage() {
  const member = await currentMember();
  return <WeekView canEdit={mayChangeBookings(member?.role)} />;
}
