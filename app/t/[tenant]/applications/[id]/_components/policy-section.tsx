'use client';

import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import { useTRPC } from '../../../_components/trpc';
import { PolicyEditor } from './policy-editor';
import { PolicyView } from './policy-view';

const OwnSystemSection = dynamic(() => import('./own-system-section').then((module) => module.OwnSystemSection), {
  ssr: false,
});

/** Shows an application's policy. Only owners can edit it. */
export function PolicySection({ id, canEdit }: { id: string; canEdit: boolean }) {
  const trpc = useTRPC();
  // A failed query needs no error message here, because the frame around this page shows one.
  const { data } = useQuery(trpc.applications.get.queryOptions({ application_id: id }));
  if (!data) return <PolicySkeleton />;
  return (
    <Stack gap="md" maw={1160}>
      {canEdit ? <PolicyEditor application={data} /> : <PolicyView application={data} />}
      <OwnSystemSection application={data} canEdit={canEdit} />
    </Stack>
  );
}

function PolicySkeleton() {
  const t = useTranslations('applications.editor');
  return (
    <Stack gap="md" maw={1160} aria-busy="true" role="status" aria-label={t('loading')}>
      <Skeleton height={156} />
      <Skeleton height={420} />
      <Skeleton height={180} />
      <Skeleton height={320} />
    </Stack>
  );
}
