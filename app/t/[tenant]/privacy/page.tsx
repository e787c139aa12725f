import { pageTitle, translator } from '@/app/_components/messages';
import { PageHeader } from '../_components/shell/page-header';
import { PrivacyView } from './_components/privacy-view';

export const generateMetadata = pageTitle('privacy', 'title');

export default async function PrivacyPage() {
  const t = await translator('privacy');
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <PrivacyView />
    </>
  );
}
