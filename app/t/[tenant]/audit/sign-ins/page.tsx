import { pageTitle } from '@/app/_components/messages';
import { AuditFrame } from '../_components/audit-frame';
import { SignInsView } from './_components/sign-ins-view';

export const generateMetadata = pageTitle('audit.frame', 'signIns');

export default function SignInsPage() {
  return (
    <AuditFrame page="signIns">
      <SignInsView />
    </AuditFrame>
  );
}
