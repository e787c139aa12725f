import { pageTitle, translator } from '@/app/_components/messages';
import { currentMember } from '@/app/_session';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { NewApplication } from './_components/new-application';

export const generateMetadata = pageTitle('applications', 'new.title');

export default async function NewApplicationPage() {
  const [t, member] = await Promise.all([translator('applications'), currentMember()]);
  return (
    <>
      <PageHeader
        title={t('new.title')}
        lead={t('new.lead')}
        trail={[{ href: '/applications', label: t('list.title') }]}
      />
      {member?.role === 'OWNER' ? (
        <NewApplication />
      ) : (
        <EmptyState title={t('new.noAccess')}>{t('new.onlyOwners')}</EmptyState>
      )}
    </>
  );
}
