import type { Metadata } from 'next';
import { createLoader, type SearchParams } from 'nuqs/server';
import { currentMember } from '@/app/_session';
import { mayChangeBookings } from '../../_components/roles';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { NEW_PARSERS } from '../_components/query';
import { ImportLink } from './_components/import-link';
import { NewBooking } from './_components/new-booking';

export const metadata: Metadata = { title: 'New booking' };

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(NEW_PARSERS);

export default async function NewBookingPage({ searchParams }: Props) {
  const [query, member] = await Promise.all([loadQuery(searchParams), currentMember()]);
  return (
    <>
      <PageHeader
        title="New booking"
        lead="For a customer who calls or walks in. The time is taken for partners, but no partner sees the booking."
        trail={[{ href: '/bookings', label: 'Bookings' }]}
        actions={member?.role === 'OWNER' && <ImportLink />}
      />
      {mayChangeBookings(member?.role) ? (
        <NewBooking preset={query} />
      ) : (
        <EmptyState title="You do not have access">Only owners and the front desk can make bookings.</EmptyState>
      )}
    </>
  );
}
