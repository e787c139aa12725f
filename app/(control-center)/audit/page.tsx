import type { Metadata } from 'next';
import { PageHeader } from '../_components/page-header';
import { AuditView } from './_components/audit-view';

export const metadata: Metadata = { title: 'Audit' };

export default function AuditPage() {
  return (
    <>
      <PageHeader
        title="Audit"
        lead="Who changed what in this Control Center, with the values before and after. Secrets are not recorded."
      />
      <AuditView />
    </>
  );
}
