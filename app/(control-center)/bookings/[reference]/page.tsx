import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { mayChangeBookings, mayViewPartners } from '../../_components/roles';
import { BookingView } from './_components/booking-view';

export const metadata: Metadata = { title: 'Booking' };

type Props = { params: Promise<{ reference: string }> };

export default async function BookingPage({ params }: Props) {
  const member = await currentMember();
  const { reference } = await params;
  return (
    <BookingView
      reference={reference.slice(0, 200)}
      canEdit={mayChangeBookings(member?.role)}
      viewsPartners={mayViewPartners(member?.role)}
    />
  );
}
