import type { Metadata } from 'next';
import { EnvironmentView } from './_components/environment-view';

export const metadata: Metadata = { title: 'Environment' };

export default function EnvironmentPage() {
  return <EnvironmentView />;
}
