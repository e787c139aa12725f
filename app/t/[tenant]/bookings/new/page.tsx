import { createLoader, type SearchParams } from 'nuqs/server';
import { pageTitle, translator } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { mayChangeBookings } from '../../_components/roles';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { NEW_PARSERS } from '../_components/query';
import { ImportLink } from './_components/import-link';
import { NewBooking } from './_components/new-booking';

export const generateMetadata = pageTitle('bookings', 'new.title');

type Props = { searchParams: Promise<SearchParams> };

const loadQuery = createLoader(NEW_PARSERS);

export default async function NewBookingPage({ searchParams }: Props) {
  const [t, query, member] = await Promise.all([translator('bookings'), loadQuery(searchParams), currentMember()]);
  return (
    <>
      <PageHeader
        title={t('new.title')}
        lead={t('new.lead')}
        trail={[{ href: '/bookings', label: t('list.title') }]}
        actions={member?.role === 'OWNER' && <ImportLink />}
      />
      {mayChangeBookings(member?.role) ? (
        <NewBooking preset={query} />
      ) : (
        <EmptyState title={t('new.noAccess')}>{t('new.noAccessHint')}</EmptyState>
      )}
    </>
  );
}
