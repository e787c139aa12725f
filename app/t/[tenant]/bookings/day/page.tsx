import { pageTitle } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { mayChangeBookings } from '../../_components/roles';
import { DayView } from './_components/day-view';

export const generateMetadata = pageTitle('bookings', 'day.title');

export default async function DayPage() {
  const member = await currentMember();
  return <DayView canEdit={mayChangeBookings(member?.role)} canBlock={member?.role === 'OWNER'} />;
}
