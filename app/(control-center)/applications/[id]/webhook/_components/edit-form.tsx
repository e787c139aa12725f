'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Endpoint } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { EndpointFields, showServerErrors, useEndpointForm } from './endpoint-fields';
import { FormEnd, Points, Problem } from './form-end';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; began: Endpoint; onCancel: () => void };

/** Changes URL and event types. The second of two editors is told, and nothing is overwritten without asking. */
export function EditForm({ applicationId, began, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [base, setBase] = useState(began);
  const form = useEndpointForm({ url: began.url, event_types: began.event_types });
  const newest = useQuery(trpc.webhooks.get.queryOptions({ application_id: applicationId }));
  const save = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: 'The endpoint is changed. What is sent from now on goes there.' });
        onCancel();
      },
      onError: (error) => {
        if (error.data?.code === 'version_conflict') void refresh();
        else showServerErrors(form, error);
      },
    }),
  );
  const submit = form.onSubmit((values) =>
    save.mutate({ application_id: applicationId, ...values, expected_version: base.version }),
  );
  const conflict = save.error?.data?.code === 'version_conflict';
  const atField = (save.error?.data?.fields.length ?? 0) > 0;
  const takeOver = (theirs: Endpoint) => {
    setBase(theirs);
    save.reset();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {conflict && <Conflict base={base} newest={newest.data ?? null} onTakeOver={takeOver} />}
        <EndpointFields form={form} />
        <Points
          title="What changes"
          points={[
            'Attempts from now on go to this URL, those of held and pending deliveries too. The secret stays.',
            'Types chosen now count for what happens from now on; what is waiting already is still sent.',
          ]}
        />
        <Problem error={conflict || atField ? null : save.error} />
        <FormEnd verb="Save" busy={save.isPending} disabled={conflict} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

type ConflictProps = { base: Endpoint; newest: Endpoint | null; onTakeOver: (newest: Endpoint) => void };

function Conflict({ base, newest, onTakeOver }: ConflictProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const here = newest && newest.version > base.version ? newest : null;
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="yellow"
      icon={<IconUsers aria-hidden />}
      title="Somebody else changed this meanwhile"
    >
      <Stack gap="sm" align="flex-start">
        {here && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Now it is {here.state}, with the URL <b>{here.url}</b> and the types {here.event_types.join(', ')}.
          </Text>
        )}
        <Text size="sm">Nothing is saved yet and nothing is overwritten: what you typed is still below.</Text>
        <Button size="xs" disabled={!here} onClick={() => here && onTakeOver(here)}>
          Keep what I typed
        </Button>
      </Stack>
    </Alert>
  );
}
