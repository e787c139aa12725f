'use client';

import { Button, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type ReadableForm, useReady } from '@/app/_components/use-ready';
import { Problem } from '@/app/t/[tenant]/_components/forms/form-end';
import { type Sent, send } from './send';

type Form = (ReadableForm & { setErrors: (errors: Record<string, string>) => void }) | null;

/**
 * Returns `run`, which sends a form (see `send`) and returns the response; null if it was refused. Then the fields of
 * `form` or `problem` say why. `ready` is that of `useReady`. `ended` is the error message if the link no longer works.
 */
export function useSend(form: Form, ended: string) {
  const t = useTranslations('common');
  const ready = useReady(form);
  const [problem, setProblem] = useState<string | null>(null);
  // Stays true after a success, until the next page is loaded.
  const [busy, setBusy] = useState(false);
  const run = async (path: Parameters<typeof send>[0], body: object): Promise<Extract<Sent, { ok: true }> | null> => {
    setBusy(true);
    setProblem(null);
    const result = await send(path, body, ended, t);
    if (result.ok) return result;
    setBusy(false);
    const fields = Object.entries(result.fields).map(([path, text]) => [path.split('.')[0], text]);
    form?.setErrors(Object.fromEntries(fields));
    if (!form || fields.length === 0) setProblem(result.message);
    return null;
  };
  return { ready, problem, busy, run };
}

type Props = {
  sending: { ready: boolean; problem: string | null; busy: boolean };
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  verb: string;
  children: ReactNode;
};

/** A form with its error and its button. */
export function SendForm({ sending: { ready, problem, busy }, onSubmit, verb, children }: Props) {
  return (
    <form onSubmit={onSubmit} method="post" noValidate>
      <Stack>
        <Problem error={problem} />
        {children}
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {verb}
        </Button>
      </Stack>
    </form>
  );
}
