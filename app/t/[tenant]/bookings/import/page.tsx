import { pageTitle, translator } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { BookingImport } from './_components/booking-import';

export const generateMetadata = pageTitle('bookings', 'import.title');

export default async function ImportBookingsPage() {
  const [t, member] = await Promise.all([translator('bookings'), currentMember()]);
  return (
    <>
      <PageHeader
        title={t('import.title')}
        lead={t('import.lead')}
        trail={[{ href: '/bookings', label: t('list.title') }]}
      />
      {member?.role === 'OWNER' ? (
        <BookingImport />
      ) : (
        <EmptyState title={t('import.noAccess')}>{t('import.noAccessHint')}</EmptyState>
      )}
    </>
  );
}
