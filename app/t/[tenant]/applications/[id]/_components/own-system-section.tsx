'use client';

import { Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Problem } from '../../../_components/forms/form-end';
import { Section } from '../../../_components/forms/form-section';
import { useTRPC } from '../../../_components/trpc';

type Props = { application: ApplicationDetail; canEdit: boolean };

/** States whether an application is a machine of the business. Saved at once, independently of the policy. */
export function OwnSystemSection({ application, canEdit }: Props) {
  const t = useTranslations('applications.ownSystem');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.applications.set_own_system.mutationOptions({
      onSuccess: ({ own_system }) => {
        notifications.show({
          message: own_system ? t('on') : t('off'),
        });
        return queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
      },
    }),
  );
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Switch
        label={t('label')}
        description={t('help')}
        checked={application.own_system}
        disabled={!canEdit || change.isPending}
        onChange={(event) => change.mutate({ application_id: application.id, own_system: event.currentTarget.checked })}
      />
      {!canEdit && (
        <Text size="sm" c="dimmed">
          {t('onlyOwners')}
        </Text>
      )}
      <Problem error={change.error} />
    </Section>
  );
}
