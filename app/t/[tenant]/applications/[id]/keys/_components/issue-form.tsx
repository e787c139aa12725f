'use client';

import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import type { IssuedKey } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { ReadinessLine } from './readiness/readiness-line';

type Props = {
  applicationId: string;
  onCancel: () => void;
  onIssued: (issued: IssuedKey) => void;
  onChanged: () => Promise<unknown>;
};

const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'Custom date' },
  { value: 'never', label: 'Never' },
];

/** Returns the midnight at the end of a date (`YYYY-MM-DD`) in the user's time zone. */
function endOfDay(date: string): Date {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + 1);
}

function expiryOf({ expiry, date }: { expiry: string; date: string }): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return endOfDay(date).toISOString();
  return new Date(Date.now() + Number(expiry) * 86_400_000).toISOString();
}

/** Issues a key with a name and an expiry. */
export function IssueForm({ applicationId, onCancel, onIssued, onChanged }: Props) {
  const trpc = useTRPC();
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: '', expiry: '90', date: '' },
    validate: {
      name: (value) => {
        const name = trimName(value);
        if (name === '') return 'Enter a name, such as the name of the server that will use the key.';
        const problem = nameProblem(name, 100);
        return problem === null ? null : `This ${problem}.`;
      },
      date: (value, { expiry }) => {
        if (expiry !== 'date') return null;
        if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'Select a date.';
        return endOfDay(value) > new Date() ? null : 'Select today or a later date.';
      },
    },
  });
  const issue = useMutation(trpc.keys.issue.mutationOptions({ gcTime: 0 }));
  const submit = form.onSubmit(async (values) => {
    const input = { application_id: applicationId, name: trimName(values.name), expires_at: expiryOf(values) };
    const issued = await issue.mutateAsync(input).catch(() => null);
    if (!issued) return;
    // Removes the key from the mutation cache, so that only the dialog contains it.
    issue.reset();
    onIssued(issued);
    void onChanged();
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="For example, the server that will use this key."
          placeholder="Production server"
          maxLength={100}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label="Expires"
          description="Requests with the key are refused after this date. If you rotate the key, the new key gets the same lifetime."
          data={EXPIRIES}
          allowDeselect={false}
          {...form.getInputProps('expiry')}
        />
        {form.values.expiry === 'date' && (
          <TextInput
            type="date"
            label="Last day"
            description="The key works until the end of this day in your time zone."
            required
            {...form.getInputProps('date')}
          />
        )}
        {issue.error && (
          <Alert color="red" role="alert">
            {issue.error.data?.fields?.[0] ? `The name ${issue.error.data.fields[0].message}.` : issue.error.message}
          </Alert>
        )}
        <ReadinessLine applicationId={applicationId} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={issue.isPending}>
            Issue key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
