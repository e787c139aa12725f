'use client';

import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { NewPasswordInput, passwordError } from '@/app/_components/sign-in/password-hint';
import { useReady } from '@/app/_components/use-ready';
import { Form } from '../../_components/forms/form';
import { Problem } from '../../_components/forms/form-end';
import { Panel } from '../../_components/panel';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';

type Props = {
  current?: string;
  onChanged?: () => void;
};

/** The form that changes the user's password. The change also ends the user's other sessions. */
export function PasswordForm({ current, onChanged }: Props) {
  const t = useTranslations('account.password');
  const tPassword = useTranslations('common.password');
  const toggle = { 'aria-label': tPassword('toggle') };
  const { form, change, submit } = usePasswordForm(onChanged);
  const ready = useReady(form);
  const failure = change.error?.data?.fields?.length ? null : change.error;
  return (
    <Panel title={t('title')}>
      <Form busy={change.isPending} onSubmit={submit}>
        <Stack>
          <Problem error={failure} />
          <PasswordInput
            label={current ?? t('current')}
            autoComplete="current-password"
            visibilityToggleButtonProps={toggle}
            required
            key={form.key('current_password')}
            {...form.getInputProps('current_password')}
          />
          <NewPasswordInput
            hint={(hint) => t('newText', { hint })}
            label={t('new')}
            key={form.key('new_password')}
            {...form.getInputProps('new_password')}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={change.isPending} disabled={!ready}>
              {t('title')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}

function usePasswordForm(onChanged?: () => void) {
  const t = useTranslations('account.password');
  const tPassword = useTranslations('common.password');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const done = useDone(trpc.session);
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
        onChanged?.();
        return done(t('changed'));
      },
      onError: (error) => {
        for (const { path, message } of error.data?.fields ?? [])
          form.setFieldError(path, tCommon('fieldProblem', { message }));
      },
    }),
  );
  return { form, change, submit: form.onSubmit((values) => change.mutate(values)) };
}
