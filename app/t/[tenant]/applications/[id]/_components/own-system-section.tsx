'use client';

import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Problem } from '../../../_components/forms/form-end';
import { Section } from '../../../_components/forms/form-section';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';

type Props = { application: ApplicationDetail; canEdit: boolean };

/** States whether an application is a machine of the business. Saved at once, independently of the policy. */
export function OwnSystemSection({ application, canEdit }: Props) {
  const t = useTranslations('applications.ownSystem');
  const trpc = useTRPC();
  const done = useDone(trpc.applications);
  const change = useMutation(
    trpc.applications.set_own_system.mutationOptions({
      onSuccess: ({ own_system }) => done(own_system ? t('on') : t('off')),
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
      {!canEdit && <Hint>{t('onlyOwners')}</Hint>}
      <Problem error={change.error} />
    </Section>
  );
}
