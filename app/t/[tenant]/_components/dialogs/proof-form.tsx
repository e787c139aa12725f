'use client';

import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { ProviderAgain } from '@/app/_components/sign-in/provider-again';
import type { Inputs, SecondFactors } from '../api-types';
import { Form } from '../forms/form';
import { FormEnd, Problem } from '../forms/form-end';
import { letGo } from '../shell/leave-guard';
import { NotLoaded } from '../states';
import { useTRPC } from '../trpc';

/** What the person has entered: the password and, if there is a second factor, a code or a passkey's response. */
export type Proof = Inputs['session']['confirm'];

type Failure = { message: string; data?: { fields?: { path: string; message: string }[] } | null };

type Props = {
  text: string;
  verb: string;
  danger?: boolean;
  busy: boolean;
  disabled?: boolean;
  error: Failure | null;
  onCancel: () => void;
  onProof: (proof: Proof) => void;
  /** Whether the form confirms the session. A person without a password does this with a new sign-in. */
  confirms?: boolean;
  children?: ReactNode;
};

/**
 * Explains a sensitive change, and asks for the password and for the present second factor. A person who finds an open
 * session knows neither and cannot make the change.
 */
export function ProofForm(props: Props) {
  const trpc = useTRPC();
  const factors = useQuery(trpc.second_factor.get.queryOptions());
  if (factors.isError || !factors.data) return <NotLoaded query={factors} rows={2} />;
  const { data } = factors;
  if (props.confirms && !data.has_password) return <Again {...props} provider={data.provider} />;
  return <Fields {...props} factors={data} />;
}

function Again({ text, provider, onCancel }: Props & { provider: string | null }) {
  const t = useTranslations('common');
  return (
    <Stack>
      <Text size="sm">{text}</Text>
      {provider === null ? (
        <Text size="sm">{t('proof.noPassword')}</Text>
      ) : (
        <>
          <Text size="sm">{t('proof.comeBack')}</Text>
          <ProviderAgain name={provider} onLeave={letGo} />
        </>
      )}
      <Button variant="default" onClick={onCancel}>
        {t('form.cancel')}
      </Button>
    </Stack>
  );
}

function Fields(props: Props & { factors: SecondFactors }) {
  const t = useTranslations('common.proof');
  const tPassword = useTranslations('common.password');
  const { text, verb, danger, disabled = false, onCancel, children, factors } = props;
  const { ways, way, setWay, values, set, busy, problem, wrong, submit } = useProof(props);
  const isReady = (values.password !== '' || !factors.has_password) && (way !== 'code' || values.code.trim() !== '');
  return (
    <Form busy={busy} onSubmit={submit}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Problem error={problem} />
        {children}
        {factors.has_password && (
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': tPassword('toggle') }}
            required
            data-autofocus={children === undefined || undefined}
            // The form can appear after the dialog has looked for the field to focus.
            autoFocus={children === undefined}
            value={values.password}
            error={wrong('password')}
            onChange={(event) => set({ password: event.currentTarget.value })}
          />
        )}
        {way === 'code' && (
          <TextInput
            label={factors.totp_since ? t('code') : t('recoveryCode')}
            description={factors.totp_since ? t('codeText') : t('recoveryText')}
            autoComplete="one-time-code"
            maxLength={40}
            spellCheck={false}
            required
            value={values.code}
            error={wrong('code')}
            onChange={(event) => set({ code: event.currentTarget.value })}
          />
        )}
        {way === 'passkey' && <Hint>{t('passkeyText')}</Hint>}
        {ways.length > 1 && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="left"
            onClick={() => setWay(way === 'code' ? 'passkey' : 'code')}
          >
            {way === 'code' ? t('usePasskey') : factors.totp_since ? t('useCode') : t('useRecovery')}
          </Anchor>
        )}
        <FormEnd verb={verb} danger={danger} busy={busy} disabled={disabled || !isReady} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

type Way = 'none' | 'code' | 'passkey';

function waysOf({ totp_since, passkeys, passkeys_possible }: SecondFactors): Way[] {
  const byPasskey = passkeys.length > 0 && passkeys_possible;
  if (totp_since) return byPasskey ? ['code', 'passkey'] : ['code'];
  if (passkeys.length === 0) return ['none'];
  return byPasskey ? ['passkey', 'code'] : ['code'];
}

function useProof({ factors, error, busy, onProof }: Props & { factors: SecondFactors }) {
  const t = useTranslations('common');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const ways = waysOf(factors);
  const [chosen, setWay] = useState<Way | null>(null);
  const [values, setValues] = useState({ password: '', code: '' });
  const [asking, setAsking] = useState(false);
  const [unused, setUnused] = useState(false);
  const way = chosen ?? ways[0] ?? 'none';
  const password = factors.has_password ? { password: values.password } : {};
  const [field] = error?.data?.fields ?? [];
  const isShown = field?.path === 'password' || (field?.path === 'code' && way === 'code');
  const wrong = (path: string) => (field?.path === path ? t('fieldProblem', { message: field.message }) : undefined);
  const byPasskey = async () => {
    setAsking(true);
    // A challenge is valid for five minutes, so each attempt loads a new one.
    const options = { ...trpc.second_factor.proof_methods.queryOptions(), staleTime: 0, gcTime: 0 };
    const methods = await queries.fetchQuery(options).catch(() => null);
    const response = methods?.passkeys ? await authenticate(methods.passkeys) : null;
    setAsking(false);
    if (response === null) return setUnused(true);
    onProof({ ...password, passkey: response });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUnused(false);
    if (way === 'passkey') return void byPasskey();
    onProof(way === 'code' ? { ...password, code: values.code.trim() } : password);
  };
  const refused = field
    ? { message: field.path === 'name' ? t('nameProblem', field) : t('proof.factorProblem', field) }
    : error;
  const problem = unused ? { message: t('proof.passkeyUnused') } : isShown ? null : refused;
  const set = (changed: Partial<typeof values>) => setValues((before) => ({ ...before, ...changed }));
  return { ways, way, setWay, values, set, busy: busy || asking, problem, wrong, submit };
}

/** Asks the browser for a passkey. Returns its response as JSON, or null if the person or the browser refused. */
async function authenticate(options: object): Promise<string | null> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  // The type that tRPC infers for the options differs from the type that the browser expects, although the JSON is the same.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON }).then(JSON.stringify, () => null);
}
