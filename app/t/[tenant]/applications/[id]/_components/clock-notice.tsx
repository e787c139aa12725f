'use client';

import { Alert, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Problem } from '../../../_components/forms/form-end';
import { useTRPC } from '../../../_components/trpc';
import { durationText } from './clock-text';

type Props = { application: Pick<ApplicationDetail, 'id' | 'clock_offset_seconds'>; canEdit: boolean };

/** States by how much the clock of an application in TEST is ahead, with a button that sets it back. */
export function ClockNotice({ application: { id, clock_offset_seconds: offset }, canEdit }: Props) {
  const t = useTranslations('applications.clock');
  const units = useTranslations('applications.clock.units');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const reset = useMutation(
    trpc.applications.reset_clock.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('reset') });
        return queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
      },
    }),
  );
  return (
    <Alert
      color="yellow"
      icon={<IconClock aria-hidden />}
      title={t('title', { duration: durationText(units, offset) })}
    >
      <Group gap="md" justify="space-between">
        <Text size="sm" maw={720}>
          {t('text')}
        </Text>
        {canEdit && (
          <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate({ application_id: id })}>
            {t('back')}
          </Button>
        )}
      </Group>
      <Problem error={reset.error} />
    </Alert>
  );
}
