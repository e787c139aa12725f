import type { Metadata } from 'next';
import { AuditFrame } from './_components/audit-frame';
import { AuditView } from './_components/audit-view';

export const metadata: Metadata = { title: 'Audit' };

export default function AuditPage() {
  return (
    <AuditFrame lead="Who changed what in this Control Center, with the values before and after. Secrets are not recorded.">
      <AuditView />
    </AuditFrame>
  );
}
