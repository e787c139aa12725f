import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentMember } from '@/app/_session';
import { PageHeader } from './_components/page-header';
import { OverviewView } from './overview/_components/overview-view';

export const metadata: Metadata = { title: { absolute: 'Overview · Control Center' } };

/** The front desk cannot view the Overview, which is about partners. Its first page is Bookings. */
export default async function OverviewPage() {
  const member = await currentMember();
  if (member?.role === 'FRONT_DESK') redirect('/bookings');
  return (
    <>
      <PageHeader title="Overview" lead="Your partners’ traffic and issues that need attention." />
      <OverviewView />
    </>
  );
}
