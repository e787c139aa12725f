import type { Metadata } from 'next';
import { PageHeader } from '../_components/shell/page-header';
import { PrivacyView } from './_components/privacy-view';

export const metadata: Metadata = { title: 'Privacy' };

export default function PrivacyPage() {
  return (
    <>
      <PageHeader
        title="Privacy"
        lead="What is stored about a customer, who sees names, and how long personal data and logs are kept."
      />
      <PrivacyView />
    </>
  );
}
