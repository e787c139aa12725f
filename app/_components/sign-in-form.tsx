'use client';

import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { signInWith } from './use-sign-in';

type Props = { onSignedIn: () => void | Promise<void>; email?: string };

/** E-mail address and password; used on the sign-in page and where a session ended in the middle of something. */
export function SignInForm({ onSignedIn, email = '' }: Props) {
  const { errors, problem, busy, submit } = useSubmit(onSignedIn);
  // Typed and sent before the page's script runs, it would be the browser that sends it.
  const ready = useMounted();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        {problem && (
          <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
            {problem}
          </Alert>
        )}
        <TextInput
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={email}
          error={errors.email}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          data-autofocus={email !== '' || undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed' }}
          required
          error={errors.password}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function useSubmit(onSignedIn: Props['onSignedIn']) {
  const [problem, setProblem] = useState<string | null>(null);
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // From the fields themselves: a password manager may have filled them in before the page's script ran.
    const data = new FormData(event.currentTarget);
    const [email, password] = [String(data.get('email') ?? ''), String(data.get('password') ?? '')];
    const found = {
      ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: 'Enter your e-mail address.' }),
      ...(password ? {} : { password: 'Enter your password.' }),
    };
    setErrors(found);
    setProblem(null);
    const [first] = Object.keys(found);
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    setBusy(true);
    const result = await signInWith(email, password).catch(
      () => ({ ok: false, message: 'The server cannot be reached. Try again in a moment.' }) as const,
    );
    if (result.ok) await onSignedIn();
    else setProblem(result.message);
    setBusy(false);
  };
  return { errors, problem, busy, submit };
}
