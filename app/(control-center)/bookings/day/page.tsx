import type { Metadata } from 'next';
import { DayView } from './_components/day-view';

export const metadata: Metadata = { title: 'Bookings of a day' };

export default function DayPage() {
  return <DayView />;
}
