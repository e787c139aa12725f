import type { Metadata } from 'next';
import { PageHeader } from '../_components/page-header';
import { RequestsView } from './_components/requests-view';

export const metadata: Metadata = { title: 'Requests' };

export default function RequestsPage() {
  return (
    <>
      <PageHeader title="Requests" lead="Partner API requests from the last 30 days." />
      <RequestsView />
    </>
  );
}
