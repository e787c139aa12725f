import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

export const metadata: Metadata = { title: 'Page not found' };

/**
 * Handles every URL that has no page. The layout redirects visitors who are not signed in, so only members see the 404
 * page.
 */
export default function MissingPage() {
  notFound();
}
