import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { mayChangeBookings } from '../_components/roles';
import { BookingsView } from './_components/bookings-view';

export const metadata: Metadata = { title: 'Bookings' };

export default async function BookingsPage() {
  const member = await currentMember();
  return <BookingsView findsByPhone={mayChangeBookings(member?.role)} />;
}
