import type { Metadata } from 'next';
import { PageHeader } from '../_components/shell/page-header';
import { PrivacyView } from './_components/privacy-view';

export const metadata: Metadata = { title: 'Privacy' };

export default function PrivacyPage() {
  return (
    <>
      <PageHeader
        title="Privacy"
        lead="Who sees the names of customers, and how long personal data and logs are kept."
      />
      <PrivacyView />
    </>
  );
}
