import type { Metadata } from 'next';
import { DayView } from './_components/day-view';

export const metadata: Metadata = { title: 'Day schedule' };

export default function DayPage() {
  return <DayView />;
}
