import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Document } from '@/app/_components/document';

export const metadata: Metadata = { title: 'Sign in · Partner Booking', robots: { index: false } };

export default function AuthLayout({ children }: { children: ReactNode }) {
  return <Document>{children}</Document>;
}

/** Rendered for each person: never at build time, and with the nonce of its own request. */
export const dynamic = 'force-dynamic';
