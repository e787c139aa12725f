import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Document, tabMetadata } from '@/app/_components/document/document';
import { Messages } from '@/app/_components/messages';

export const generateMetadata = (): Metadata => tabMetadata('Partner Booking');

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <Document>
      <Messages of={['signIn']}>{children}</Messages>
    </Document>
  );
}

/** These pages must not be prerendered, because the nonce of the content security policy differs for each request. */
export const dynamic = 'force-dynamic';
