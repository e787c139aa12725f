import { notFound } from 'next/navigation';

/** Every address that no page has: only a member learns that. */
export default function MissingPage() {
  notFound();
}
