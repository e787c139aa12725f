'use client';

import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { plural } from '../../_components/format';
import { useLeaveWarning } from '../../_components/leave-guard';
import styles from '../../applications/_components/applications.module.css';
import own from './catalog.module.css';
import { FieldErrorsProvider } from './form-context';
import type { RecordForm } from './use-record-form';

type Props<Values extends object> = {
  form: RecordForm<Values>;
  canEdit: boolean;
  /** What the button that saves says. */
  action: string;
  /** A new record is saved even if nothing is typed: the server says what is missing. */
  isNew?: boolean;
  pending: boolean;
  onSave: (values: Values) => void;
  children: ReactNode;
};

/** The form of a record: its fields, what is wrong, what somebody else saved, and the bar that saves. */
export function RecordEditor<Values extends object>({ form, canEdit, onSave, children, ...bar }: Props<Values>) {
  const { dirty, refusal, isStale } = form;
  useLeaveWarning(dirty.length > 0 && !bar.pending);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!bar.pending) onSave(form.values);
      }}
    >
      <FieldErrorsProvider value={form.errors}>
        <Stack maw={1160} gap="md">
          {!canEdit && <Text size="sm">You can read this. An owner of this Control Center can change it.</Text>}
          {isStale && <StaleNotice onTakeOver={form.takeOver} />}
          {refusal && refusal.data?.code !== 'version_conflict' && <Refusal refusal={refusal} />}
          <fieldset disabled={!canEdit} className={own.form}>
            {children}
          </fieldset>
          {canEdit && (dirty.length > 0 || bar.isNew) && <SaveBar form={form} {...bar} />}
        </Stack>
      </FieldErrorsProvider>
    </form>
  );
}

function StaleNotice({ onTakeOver }: { onTakeOver: () => void }) {
  return (
    <Alert role="alert" color="yellow" icon={<IconUsers aria-hidden />} title="Somebody else changed this meanwhile">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Nothing is saved yet and nothing is overwritten: what you typed is still below. Take over the newer version to
          go on; what you changed yourself stays.
        </Text>
        <Button size="xs" onClick={onTakeOver}>
          Take over and keep my changes
        </Button>
      </Stack>
    </Alert>
  );
}

function Refusal({
  refusal,
}: {
  refusal: { message: string; data?: { fields?: { path: string; message: string }[] } | null };
}) {
  const fields = refusal.data?.fields ?? [];
  return (
    <Alert color="red" role="alert" title={refusal.message}>
      {fields.slice(0, 10).map(({ path, message }) => (
        <Text key={path} size="sm">
          <b>{path.replaceAll('_', ' ').replaceAll('.', ' › ')}</b> {message}.
        </Text>
      ))}
    </Alert>
  );
}

type BarProps<Values extends object> = Pick<Props<Values>, 'form' | 'action' | 'isNew' | 'pending'>;

function SaveBar<Values extends object>({ form, action, isNew = false, pending }: BarProps<Values>) {
  return (
    <Paper withBorder p="sm" bg="var(--app-surface)" className={styles.bar}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={600} role="status">
          {isNew ? 'Not published until you say so' : `${plural(form.dirty.length, 'change')} not saved`}
        </Text>
        <Group gap="xs">
          {!isNew && (
            <Button variant="default" onClick={form.discard}>
              Discard
            </Button>
          )}
          <Button type="submit" loading={pending} disabled={form.isStale}>
            {action}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
