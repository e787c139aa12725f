'use client';

import { Alert, Button, Group, Paper, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PASSWORD_HINT, passwordError } from '@/app/_components/password-hint';
import { useTRPC } from '../../_components/trpc';

const TOGGLE = { 'aria-label': 'Show or hide the password' };

type Props = {
  /** The label of the field for the current password. */
  current?: string;
  onChanged?: () => void;
};

/** The form that changes the user's password. The change also ends the user's other sessions. */
export function PasswordForm({ current = 'Current password', onChanged }: Props) {
  const { form, change, submit } = usePasswordForm(onChanged);
  const failure = change.error && !change.error.data?.fields?.length ? change.error.message : null;
  return (
    <Paper component="section" withBorder p="md" maw={520} bg="var(--app-surface)" aria-label="Change password">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2} size="h5">
            Change password
          </Title>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <PasswordInput
            label={current}
            autoComplete="current-password"
            visibilityToggleButtonProps={TOGGLE}
            required
            key={form.key('current_password')}
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label="New password"
            description={`${PASSWORD_HINT} Your other sessions will end.`}
            autoComplete="new-password"
            visibilityToggleButtonProps={TOGGLE}
            required
            key={form.key('new_password')}
            {...form.getInputProps('new_password')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function usePasswordForm(onChanged?: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current_password: '', new_password: '' },
    validate: {
      current_password: (value) => (value ? null : 'Enter your current password.'),
      new_password: (value) => passwordError(value),
    },
  });
  const change = useMutation(
    trpc.session.change_password.mutationOptions({
      gcTime: 0,
      onSuccess: () => {
        form.reset();
        notifications.show({ message: 'Password changed. Your other sessions have ended.' });
        onChanged?.();
        return queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
      },
      onError: (error) => {
        for (const { path, message } of error.data?.fields ?? []) form.setFieldError(path, `This ${message}.`);
      },
    }),
  );
  return { form, change, submit: form.onSubmit((values) => change.mutate(values)) };
}
