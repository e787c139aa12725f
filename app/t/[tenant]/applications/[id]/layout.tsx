import type { ReactNode } from 'react';
import { currentMember } from '@/app/_session';
import { Prefetch } from '../../_components/prefetch';
import { ApplicationFrame } from './_components/application-frame';

type Props = { params: Promise<{ id: string }>; children: ReactNode };

export default async function ApplicationLayout({ params, children }: Props) {
  const [{ id }, member] = await Promise.all([params, currentMember()]);
  return (
    <Prefetch
      load={({ trpc, queries }) => [
        queries.prefetchQuery(trpc.applications.get.queryOptions({ application_id: id })),
        queries.prefetchQuery(trpc.locations.list.queryOptions()),
      ]}
    >
      <ApplicationFrame id={id} canEdit={member?.role === 'OWNER'}>
        {children}
      </ApplicationFrame>
    </Prefetch>
  );
}
