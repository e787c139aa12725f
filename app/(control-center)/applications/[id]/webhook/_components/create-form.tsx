'use client';

import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../../../../_components/trpc';
import { EndpointFields, showServerErrors, useEndpointForm } from './endpoint-fields';
import { FormEnd, Problem } from './form-end';
import { useRefresh } from './use-refresh';
import { EVENT_TYPES } from './words';

type Props = { applicationId: string; onCancel: () => void; onIssued: (secret: string) => void };

/** Asks for URL and event types, and sets the endpoint up. */
export function CreateForm({ applicationId, onCancel, onIssued }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useEndpointForm({ url: '', event_types: [...EVENT_TYPES] });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({ gcTime: 0, onError: (error) => void showServerErrors(form, error) }),
  );
  const submit = form.onSubmit(async (values) => {
    const made = await create.mutateAsync({ application_id: applicationId, ...values }).catch(() => null);
    if (!made) return;
    // The secret lives in the dialog alone: nothing of it stays in the cache of mutations.
    create.reset();
    onIssued(made.secret);
    void refresh();
  });
  const atField = (create.error?.data?.fields.length ?? 0) > 0;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <EndpointFields form={form} />
        <Text size="sm" c="dimmed">
          You get the signing secret next. Nothing is sent for what happened before.
        </Text>
        <Problem error={atField ? null : create.error} />
        <FormEnd verb="Set up the endpoint" busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
