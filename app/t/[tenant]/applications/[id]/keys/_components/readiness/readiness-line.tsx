'use client';

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useTRPC } from '../../../../../_components/trpc';
import { scoreText } from './words';

/** In LIVE: what the application has shown in TEST, beside the button that issues a key. */
export function ReadinessLine({ applicationId }: { applicationId: string }) {
  const t = useTranslations('applications.readiness');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.readiness.get.queryOptions({ application_id: applicationId }));
  if (data?.environment !== 'LIVE') return null;
  const readiness = data.accepted?.readiness;
  return (
    <Text size="sm" c="dimmed">
      {readiness ? t('line', { score: scoreText(t, readiness) }) : t('noLine')}
    </Text>
  );
}
