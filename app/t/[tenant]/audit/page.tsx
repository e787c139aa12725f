import { pageTitle } from '@/app/_components/messages';
import { AuditFrame } from './_components/audit-frame';
import { AuditView } from './_components/audit-view';

export const generateMetadata = pageTitle('audit.frame', 'title');

export default function AuditPage() {
  return (
    <AuditFrame page="changes">
      <AuditView />
    </AuditFrame>
  );
}
