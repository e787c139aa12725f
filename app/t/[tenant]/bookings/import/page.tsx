import type { Metadata } from 'next';
import { currentMember } from '@/app/_session';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { BookingImport } from './_components/booking-import';

export const metadata: Metadata = { title: 'Import bookings' };

export default async function ImportBookingsPage() {
  const member = await currentMember();
  return (
    <>
      <PageHeader
        title="Import bookings"
        lead="Bookings that exist already, for example in another system. All of them are imported, or none."
        trail={[{ href: '/bookings', label: 'Bookings' }]}
      />
      {member?.role === 'OWNER' ? (
        <BookingImport />
      ) : (
        <EmptyState title="You do not have access">Only owners can import bookings.</EmptyState>
      )}
    </>
  );
}
