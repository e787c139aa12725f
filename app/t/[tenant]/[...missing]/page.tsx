import { notFound } from 'next/navigation';
import { pageTitle } from '@/app/_components/messages';

export const generateMetadata = pageTitle('shell', 'notFound.title');

/** Handles every URL that has no page. The layout redirects visitors who are not signed in, so only members see the 404 page. */
export default function MissingPage() {
  notFound();
}
