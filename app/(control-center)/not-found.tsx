import type { Metadata } from 'next';
import { NothingHere } from './_components/nothing-here';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFoundPage() {
  return <NothingHere />;
}
