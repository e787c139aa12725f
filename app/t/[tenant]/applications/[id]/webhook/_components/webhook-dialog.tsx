'use client';

import { Alert, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import type { Endpoint, EventType } from '../../../../_components/api-types';
import { Conflict } from '../../../../_components/forms/conflict';
import { Fields, Form } from '../../../../_components/forms/form';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useDone } from '../../../../_components/use-done';
import { type GuardedDialog, makeSecret, SecretDialog } from '../../../_components/secret-dialog';
import { Secret, ShownOnce } from '../../../_components/shown-once';
import { ReplayForm } from './replay-form';
import { CHANGE_TYPES, EVENT_TYPES } from './words';

/**
 * The action that the dialog performs. `endpoint` is the endpoint as it was when the dialog opened. The edit form
 * starts with the URL and event types of `endpoint`.
 */
export type WebhookAct =
  | { kind: 'create' | 'pause' | 'resume' | 'rotate' | 'replay' }
  | { kind: 'edit'; endpoint: Endpoint }
  | { kind: 'end'; number: number };

type Props = { applicationId: string; endpoint: Endpoint | null; dialog: GuardedDialog<WebhookAct, string> };

/** The dialog that creates or changes the endpoint. */
export function WebhookDialog({ applicationId, endpoint, dialog }: Props) {
  const t = useTranslations('webhooks.dialog');
  return (
    <SecretDialog dialog={dialog} title={titleOf(t, dialog, endpoint)}>
      {dialog.issued ? (
        <OneTimeSecret secret={dialog.issued} onClose={dialog.close} />
      ) : (
        <Content applicationId={applicationId} endpoint={endpoint} dialog={dialog} />
      )}
    </SecretDialog>
  );
}

type OnIssued = (made: { secret: string }) => void;

function Content({ applicationId, endpoint, dialog: { act, close, show } }: Props) {
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const onIssued: OnIssued = ({ secret }) => {
    show(secret);
    void refresh();
  };
  const shared = { applicationId, onCancel: close };
  if (act?.kind === 'create') return <CreateForm {...shared} onIssued={onIssued} />;
  if (act?.kind === 'edit') return <EditForm {...shared} began={act.endpoint} />;
  if (act?.kind === 'end') return <EndSecretForm {...shared} number={act.number} />;
  if (!endpoint) return null;
  if (act?.kind === 'pause') return <PauseForm {...shared} endpoint={endpoint} />;
  if (act?.kind === 'resume') return <ResumeForm {...shared} endpoint={endpoint} />;
  if (act?.kind === 'rotate') return <RotateForm {...shared} endpoint={endpoint} onIssued={onIssued} />;
  return act?.kind === 'replay' ? <ReplayForm {...shared} endpoint={endpoint} /> : null;
}

function titleOf(
  t: Translator<'webhooks.dialog'>,
  { act, issued }: Props['dialog'],
  endpoint: Endpoint | null,
): string {
  if (issued) return t('store');
  if (!act) return '';
  if (act.kind === 'end') return t('end', { number: act.number });
  return act.kind === 'resume' && endpoint?.state === 'disabled' ? t('reEnable') : t(act.kind);
}

type CreateFormProps = { applicationId: string; onCancel: () => void; onIssued: OnIssued };

function CreateForm({ applicationId, onCancel, onIssued }: CreateFormProps) {
  const t = useTranslations('webhooks.create');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const form = useEndpointForm({ url: '', event_types: [...CHANGE_TYPES] });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({ gcTime: 0, onError: (error) => void showServerErrors(common, form, error) }),
  );
  const submit = form.onSubmit((values) => {
    void makeSecret(create, { application_id: applicationId, ...values }, onIssued);
  });
  const atField = (create.error?.data?.fields.length ?? 0) > 0;
  return (
    <Form busy={create.isPending} onSubmit={submit}>
      <Stack>
        <EndpointFields form={form} />
        <Hint>{t('note')}</Hint>
        <Problem error={atField ? null : create.error} />
        <FormEnd verb={t('go')} busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

const SNIPPET = `import { Webhook } from 'standardwebhooks';

// rawBody: the request body before JSON parsing.
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(rawBody, headers); // throws if forged`;

function OneTimeSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useTranslations('webhooks.oneTimeSecret');
  return (
    <ShownOnce what="secret" warning={t('warning')} onClose={onClose}>
      <Secret label={t('secret')} text={secret} copy={t('copySecret')} first />
      <Secret label={t('env')} text={`WEBHOOK_SECRET=${secret}`} copy={t('copyEnv')} />
      <Secret label={t('verify')} text={SNIPPET} copy={t('copySnippet')}>
        {t('standard')}
      </Secret>
    </ShownOnce>
  );
}

type PauseFormProps = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

function useAfterChange(onCancel: () => void) {
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  return (message: string) => ({
    onSuccess: async () => {
      await refresh();
      notifications.show({ message });
      onCancel();
    },
    onError: () => void refresh(),
  });
}

type ConfirmProps = {
  verb: string;
  danger?: boolean;
  change: { isPending: boolean; error: { message: string } | null };
  onGo: () => void;
  onCancel: () => void;
  children: ReactNode;
};

function Confirmation({ change, children, ...end }: ConfirmProps) {
  return (
    <Stack>
      {children}
      <Problem error={change.error} />
      <FormEnd busy={change.isPending} {...end} />
    </Stack>
  );
}

function PauseForm({ applicationId: application_id, endpoint, onCancel }: PauseFormProps) {
  const t = useTranslations('webhooks.pause');
  const trpc = useTRPC();
  const pause = useMutation(trpc.webhooks.pause.mutationOptions(useAfterChange(onCancel)(t('done'))));
  const go = () => pause.mutate({ application_id });
  return (
    <Confirmation verb={t('go')} danger change={pause} onGo={go} onCancel={onCancel}>
      <Points of="changes" points={[t('held', { count: endpoint.pending }), t('noReplay')]} />
      <Points of="stays" points={[t('tests'), t('bookings'), t('oldest')]} />
    </Confirmation>
  );
}

function ResumeForm({ applicationId: application_id, endpoint, onCancel }: PauseFormProps) {
  const t = useTranslations('webhooks.resume');
  const reasons = useTranslations('webhooks.reasons');
  const trpc = useTRPC();
  const disabled = endpoint.state === 'disabled';
  const done = disabled ? t('reEnabled') : t('resumed');
  const resume = useMutation(trpc.webhooks.resume.mutationOptions(useAfterChange(onCancel)(done)));
  const go = () => resume.mutate({ application_id });
  return (
    <Confirmation verb={disabled ? t('reEnable') : t('resume')} change={resume} onGo={go} onCancel={onCancel}>
      {disabled && endpoint.reason && (
        <Alert color="yellow" title={reasons(`${endpoint.reason}.title`)}>
          {t('testFirst')}
        </Alert>
      )}
      <Points of="changes" points={[t('sent', { count: endpoint.pending }), ...(disabled ? [t('again')] : [])]} />
      <Points of="stays" points={[t('failed')]} />
    </Confirmation>
  );
}

function EndSecretForm({ applicationId, number, onCancel }: Omit<PauseFormProps, 'endpoint'> & { number: number }) {
  const t = useTranslations('webhooks.endSecret');
  const trpc = useTRPC();
  const end = useMutation(trpc.webhooks.end_secret.mutationOptions(useAfterChange(onCancel)(t('done', { number }))));
  const go = () => end.mutate({ application_id: applicationId, number });
  return (
    <Confirmation verb={t('go')} danger change={end} onGo={go} onCancel={onCancel}>
      <Points of="changes" points={[t('stops', { number }), t('rejects')]} />
      <Points of="stays" points={[t('others'), t('noLoss'), t('accepts')]} />
    </Confirmation>
  );
}

type EditFormProps = { applicationId: string; began: Endpoint; onCancel: () => void };

/** If another user has changed the endpoint since the form was opened, asks before overwriting that change. */
function EditForm({ applicationId, began, onCancel }: EditFormProps) {
  const t = useTranslations('webhooks.edit');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const [base, setBase] = useState(began);
  const form = useEndpointForm({ url: began.url, event_types: began.event_types });
  const newest = useQuery(trpc.webhooks.get.queryOptions({ application_id: applicationId }));
  const save = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: t('saved') });
        onCancel();
      },
      onError: (error) => {
        if (error.data?.code === 'version_conflict') void refresh();
        else showServerErrors(common, form, error);
      },
    }),
  );
  const submit = form.onSubmit((values) =>
    save.mutate({ application_id: applicationId, ...values, expected_version: base.version }),
  );
  const conflict = save.error?.data?.code === 'version_conflict';
  const atField = (save.error?.data?.fields.length ?? 0) > 0;
  const rebase = (theirs: Endpoint) => {
    setBase(theirs);
    save.reset();
  };
  return (
    <Form busy={save.isPending} onSubmit={submit}>
      <Stack>
        {conflict && <EndpointConflict base={base} newest={newest.data ?? null} onRebase={rebase} />}
        <EndpointFields form={form} />
        <Points of="changes" points={[t('url'), t('types')]} />
        <Problem error={conflict || atField ? null : save.error} />
        <FormEnd verb={t('save')} busy={save.isPending} disabled={conflict} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

type ConflictProps = { base: Endpoint; newest: Endpoint | null; onRebase: (newest: Endpoint) => void };

function EndpointConflict({ base, newest, onRebase }: ConflictProps) {
  const t = useTranslations('webhooks.edit');
  const here = newest && newest.version > base.version ? newest : null;
  return (
    <Conflict action={t('keep')} disabled={!here} onAction={() => here && onRebase(here)}>
      {here && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('savedValues', {
            state: here.state,
            url: here.url,
            types: here.event_types.join(', '),
            b: (text) => <b>{text}</b>,
          })}
        </Text>
      )}
      <Text size="sm">{t('notSaved')}</Text>
    </Conflict>
  );
}

const OVERLAPS = [0, 1, 2, 3, 4, 5, 6, 7];

type RotateFormProps = CreateFormProps & { endpoint: Endpoint };

function RotateForm({ applicationId, endpoint, onCancel, onIssued }: RotateFormProps) {
  const t = useTranslations('webhooks.rotate');
  const trpc = useTRPC();
  const [days, setDays] = useState('1');
  const rotate = useMutation(trpc.webhooks.rotate.mutationOptions({ gcTime: 0 }));
  const submit = () => void makeSecret(rotate, { application_id: applicationId, overlap_days: Number(days) }, onIssued);
  const atOnce = days === '0';
  const ending = endpoint.secrets.filter((secret) => secret.expires_at !== null).length;
  return (
    <Stack>
      <Fields busy={rotate.isPending}>
        <NativeSelect
          label={t('label')}
          description={atOnce ? undefined : t('help')}
          data={OVERLAPS.map((count) => ({
            value: String(count),
            label: count === 0 ? t('now') : t('inDays', { count }),
          }))}
          value={days}
          data-autofocus
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </Fields>
      <Points of="changes" points={[t('newSecret'), atOnce ? t('endsNow') : t('endsLater')]} />
      <Points of="stays" points={[t('noLoss'), ...(ending > 0 ? [t('older')] : [])]} />
      <Problem error={rotate.error} />
      <FormEnd verb={t('go')} danger={atOnce} busy={rotate.isPending} onCancel={onCancel} onGo={submit} />
    </Stack>
  );
}

type EndpointValues = { url: string; event_types: EventType[] };

/** The server validates the URL and resolves its host name. */
function useEndpointForm(initialValues: EndpointValues) {
  const t = useTranslations('webhooks.fields');
  return useForm<EndpointValues>({
    mode: 'controlled',
    initialValues,
    validate: {
      url: (value) => (value.trim() === '' ? t('enterUrl') : null),
      event_types: (value) => (value.length === 0 ? t('selectType') : null),
    },
  });
}

type EndpointForm = UseFormReturnType<EndpointValues>;

function EndpointFields({ form }: { form: EndpointForm }) {
  const t = useTranslations('webhooks.fields');
  const events = useTranslations('webhooks.events');
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  const { value, onChange, error } = form.getInputProps('event_types');
  return (
    <Stack>
      <TextInput
        label={t('url')}
        description={me.data?.allows_loopback ? t('helpLoopback') : t('help')}
        placeholder="https://partner.example/webhooks"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={t('types')} required value={value} onChange={onChange} error={error}>
        <Stack gap="xs" my="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} description={events(type)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}

type ServerError = { data?: { fields?: { path: string; message: string }[] } | null } | null;

/** Returns whether the server reported any invalid fields. */
function showServerErrors(t: Translator<'common'>, form: EndpointForm, error: ServerError): boolean {
  const fields = error?.data?.fields ?? [];
  // Outside of React event handlers, React may postpone rendering. Without `flushSync`, the focus would move before the
  // fields are marked as invalid.
  flushSync(() => {
    for (const { path, message } of fields)
      form.setFieldError(path.split('.')[0] ?? path, t('fieldProblem', { message }));
  });
  if (fields.length > 0) {
    // Waits for the render that marks the fields as invalid.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=dialog] [aria-invalid="true"]')?.focus());
  }
  return fields.length > 0;
}
