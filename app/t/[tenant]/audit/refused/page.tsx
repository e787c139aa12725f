import type { Metadata } from 'next';
import { AuditFrame } from '../_components/audit-frame';
import { RefusedView } from './_components/refused-view';

export const metadata: Metadata = { title: 'Refused calls' };

export default function RefusedCallsPage() {
  return (
    <AuditFrame lead="What members tried in the Control Center and were not allowed to do, from the last 90 days. Calls appear here within two minutes. Repeated calls within the same minute are grouped into one row.">
      <RefusedView />
    </AuditFrame>
  );
}
