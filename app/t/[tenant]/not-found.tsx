import type { Metadata } from 'next';
import { NothingHerePage } from './_components/shell/nothing-here-page';

export const metadata: Metadata = { title: 'Page not found' };

export default function NotFoundPage() {
  return <NothingHerePage />;
}
