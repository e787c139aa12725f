'use client';

import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { nameFlaw, trimName } from '@/lib/platform/text/name';
import type { IssuedKey } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { ReadinessLine } from './readiness/readiness-line';

type Props = {
  applicationId: string;
  onCancel: () => void;
  onIssued: (issued: IssuedKey) => void;
  onChanged: () => Promise<unknown>;
};

/** The choices of an expiry, with the keys of their labels. */
const EXPIRIES = [
  { value: '30', label: 'in30' },
  { value: '90', label: 'in90' },
  { value: '365', label: 'in365' },
  { value: 'date', label: 'date' },
  { value: 'never', label: 'never' },
] as const;

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
  const t = useTranslations('applications.issueKey');
  const flaws = useTranslations('applications.nameFlaws');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: '', expiry: '90', date: '' },
    validate: {
      name: (value) => {
        const name = trimName(value);
        if (name === '') return t('enterName');
        const flaw = nameFlaw(name, 100);
        return flaw && flaws(flaw, { max: 100 });
      },
      date: (value, { expiry }) => {
        if (expiry !== 'date') return null;
        if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return t('selectDate');
        return endOfDay(value) > new Date() ? null : t('selectLater');
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
  const problem = issue.error?.data?.fields?.[0];
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('name')}
          description={t('nameHelp')}
          placeholder={t('namePlaceholder')}
          maxLength={100}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label={t('expires')}
          description={t('expiresHelp')}
          data={EXPIRIES.map(({ value, label }) => ({ value, label: t(label) }))}
          allowDeselect={false}
          {...form.getInputProps('expiry')}
        />
        {form.values.expiry === 'date' && (
          <TextInput
            type="date"
            label={t('lastDay')}
            description={t('lastDayHelp')}
            required
            {...form.getInputProps('date')}
          />
        )}
        {issue.error && (
          <Alert color="red" role="alert">
            {problem ? common('nameProblem', { message: problem.message }) : issue.error.message}
          </Alert>
        )}
        <ReadinessLine applicationId={applicationId} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={issue.isPending}>
            {t('issue')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
