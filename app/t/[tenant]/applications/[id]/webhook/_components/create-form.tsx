'use client';

import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FormEnd, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { EndpointFields, showServerErrors, useEndpointForm } from './endpoint-fields';
import { useRefresh } from './use-refresh';
import { EVENT_TYPES } from './words';

type Props = { applicationId: string; onCancel: () => void; onIssued: (secret: string) => void };

/** The form that creates the endpoint. It asks for the URL and the event types. */
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
    // Removes the secret from the mutation cache, because only the dialog may hold the secret.
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
          You get the signing secret in the next step. The endpoint receives only events that occur after you create it.
        </Text>
        <Problem error={atField ? null : create.error} />
        <FormEnd verb="Create endpoint" busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
