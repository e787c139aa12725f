import type { Metadata } from 'next';
import { NothingHere } from './_components/nothing-here';

export const metadata: Metadata = { title: 'There is nothing here' };

export default function NotFoundPage() {
  return <NothingHere />;
}
