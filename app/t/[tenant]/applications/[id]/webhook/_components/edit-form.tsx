'use client';

import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Endpoint } from '../../../../_components/api-types';
import { Conflict } from '../../../../_components/forms/conflict';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { EndpointFields, showServerErrors, useEndpointForm } from './endpoint-fields';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; began: Endpoint; onCancel: () => void };

/**
 * The form that edits the endpoint's URL and event types. If another user has changed the endpoint since the form was
 * opened, the form asks for confirmation before overwriting that change.
 */
export function EditForm({ applicationId, began, onCancel }: Props) {
  const t = useTranslations('webhooks.edit');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [base, setBase] = useState(began);
  const form = useEndpointForm({ url: began.url, event_types: began.event_types });
  const newest = useQuery(trpc.webhooks.get.queryOptions({ application_id: applicationId }));
  const save = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: t('saved') });
        onCancel();
      },
      onError: (error) => {
        if (error.data?.code === 'version_conflict') void refresh();
        else showServerErrors(common, form, error);
      },
    }),
  );
  const submit = form.onSubmit((values) =>
    save.mutate({ application_id: applicationId, ...values, expected_version: base.version }),
  );
  const conflict = save.error?.data?.code === 'version_conflict';
  const atField = (save.error?.data?.fields.length ?? 0) > 0;
  const rebase = (theirs: Endpoint) => {
    setBase(theirs);
    save.reset();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {conflict && <EndpointConflict base={base} newest={newest.data ?? null} onRebase={rebase} />}
        <EndpointFields form={form} />
        <Points title={t('changes')} points={[t('url'), t('types')]} />
        <Problem error={conflict || atField ? null : save.error} />
        <FormEnd verb={t('save')} busy={save.isPending} disabled={conflict} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

type ConflictProps = { base: Endpoint; newest: Endpoint | null; onRebase: (newest: Endpoint) => void };

function EndpointConflict({ base, newest, onRebase }: ConflictProps) {
  const t = useTranslations('webhooks.edit');
  const here = newest && newest.version > base.version ? newest : null;
  return (
    <Conflict action={t('keep')} disabled={!here} onAction={() => here && onRebase(here)}>
      {here && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('savedValues', {
            state: here.state,
            url: here.url,
            types: here.event_types.join(', '),
            b: (text) => <b>{text}</b>,
          })}
        </Text>
      )}
      <Text size="sm">{t('notSaved')}</Text>
    </Conflict>
  );
}
