import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Document, tabMetadata } from '@/app/_components/document/document';

export const generateMetadata = (): Metadata => tabMetadata('Control Center');

export default function ControlCenterLayout({ children }: { children: ReactNode }) {
  return <Document>{children}</Document>;
}

/** Prevents prerendering, because each page depends on the session and contains a nonce that differs for each request. */
export const dynamic = 'force-dynamic';
