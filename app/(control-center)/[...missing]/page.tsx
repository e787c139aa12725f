import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

export const metadata: Metadata = { title: 'There is nothing here' };

/** Every address that no page has: only a member learns that. */
export default function MissingPage() {
  notFound();
}
