import type { Metadata } from 'next';
import { PageHeader } from './_components/page-header';
import { OverviewView } from './overview/_components/overview-view';

export const metadata: Metadata = { title: { absolute: 'Overview · Control Center' } };

export default function OverviewPage() {
  return (
    <>
      <PageHeader title="Overview" lead="Your partners’ traffic and issues that need attention." />
      <OverviewView />
    </>
  );
}
