import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Document } from '@/app/_components/document';

export const metadata: Metadata = {
  title: { default: 'Control Center', template: '%s · Control Center' },
  robots: { index: false },
};

export default function ControlCenterLayout({ children }: { children: ReactNode }) {
  return <Document>{children}</Document>;
}

/**
 * Prevents prerendering, because each page depends on the session and contains a nonce that differs for each request.
 */
export const dynamic = 'force-dynamic';
