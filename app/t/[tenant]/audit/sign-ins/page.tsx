import type { Metadata } from 'next';
import { AuditFrame } from '../_components/audit-frame';
import { SignInsView } from './_components/sign-ins-view';

export const metadata: Metadata = { title: 'Sign-ins' };

export default function SignInsPage() {
  return (
    <AuditFrame lead="Sign-ins that opened this business, and failed attempts, from the last 90 days. Repeated attempts within the same minute are grouped into one row.">
      <SignInsView />
    </AuditFrame>
  );
}
