import { pageTitle } from '@/app/_components/messages';
import { AuditFrame } from '../_components/audit-frame';
import { RefusedView } from './_components/refused-view';

export const generateMetadata = pageTitle('audit.frame', 'refused');

export default function RefusedCallsPage() {
  return (
    <AuditFrame page="refused">
      <RefusedView />
    </AuditFrame>
  );
}
