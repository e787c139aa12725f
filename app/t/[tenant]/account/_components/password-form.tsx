'use client';

import { Alert, Button, Group, Paper, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { passwordError, passwordHint } from '@/app/_components/password-hint';
import { useTRPC } from '../../_components/trpc';

type Props = {
  /** The label of the field for the current password. */
  current?: string;
  onChanged?: () => void;
};

/** The form that changes the user's password. The change also ends the user's other sessions. */
export function PasswordForm({ current, onChanged }: Props) {
  const t = useTranslations('account.password');
  const tPassword = useTranslations('common.password');
  const toggle = { 'aria-label': tPassword('toggle') };
  const { form, change, submit } = usePasswordForm(onChanged);
  const failure = change.error && !change.error.data?.fields?.length ? change.error.message : null;
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-label={t('title')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2} size="h5">
            {t('title')}
          </Title>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <PasswordInput
            label={current ?? t('current')}
            autoComplete="current-password"
            visibilityToggleButtonProps={toggle}
            required
            key={form.key('current_password')}
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label={t('new')}
            description={t('newText', { hint: passwordHint(tPassword) })}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            required
            key={form.key('new_password')}
            {...form.getInputProps('new_password')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending}>
              {t('title')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function usePasswordForm(onChanged?: () => void) {
  const t = useTranslations('account.password');
  const tPassword = useTranslations('common.password');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current_password: '', new_password: '' },
    validate: {
      current_password: (value) => (value ? null : t('needCurrent')),
      new_password: (value) => passwordError(tPassword, value),
    },
  });
  const change = useMutation(
    trpc.session.change_password.mutationOptions({
      gcTime: 0,
      onSuccess: () => {
        form.reset();
        notifications.show({ message: t('changed') });
        onChanged?.();
        return queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
      },
      onError: (error) => {
        for (const { path, message } of error.data?.fields ?? [])
          form.setFieldError(path, tCommon('fieldProblem', { message }));
      },
    }),
  );
  return { form, change, submit: form.onSubmit((values) => change.mutate(values)) };
}
