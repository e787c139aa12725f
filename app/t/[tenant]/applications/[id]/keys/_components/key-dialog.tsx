'use client';

import { Alert, Anchor, List, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import { nameFlaw, trimName } from '@/lib/platform/text/name';
import type { ApplicationDetail, IssuedKey, KeyRow } from '../../../../_components/api-types';
import { Fields, Form } from '../../../../_components/forms/form';
import { FormEnd, Problem } from '../../../../_components/forms/form-end';
import { DAY, SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { type GuardedDialog, makeSecret, SecretDialog } from '../../../_components/secret-dialog';
import { Secret, ShownOnce } from '../../../_components/shown-once';
import { scoreText } from './readiness/words';

/** The action that the dialog performs: issue a key, or rotate or revoke an existing key. */
export type KeyAct = { kind: 'issue' } | { kind: 'rotate'; key: KeyRow } | { kind: 'revoke'; key: KeyRow };

type KeyDialogState = GuardedDialog<KeyAct, IssuedKey>;

type Props = { applicationId: string; dialog: KeyDialogState; onChanged: () => Promise<unknown> };

/** Issues, rotates, or revokes a key. */
export function KeyDialog({ applicationId, dialog, onChanged }: Props) {
  const t = useTranslations('applications.keyDialog');
  const { act, issued, show, close } = dialog;
  const onIssued = (made: IssuedKey) => {
    show(made);
    void onChanged();
  };
  return (
    <SecretDialog dialog={dialog} title={titleOf(t, dialog)}>
      {issued ? (
        <OneTimeKey issued={issued} applicationId={applicationId} onClose={close} />
      ) : act?.kind === 'issue' ? (
        <IssueForm applicationId={applicationId} onCancel={close} onIssued={onIssued} />
      ) : act?.kind === 'rotate' ? (
        <RotateForm target={act.key} onCancel={close} onIssued={onIssued} />
      ) : act?.kind === 'revoke' ? (
        <RevokeForm target={act.key} onCancel={close} onChanged={onChanged} />
      ) : null}
    </SecretDialog>
  );
}

function titleOf(t: Translator<'applications.keyDialog'>, { act, issued }: KeyDialogState): string {
  if (issued) return t('store');
  if (act?.kind === 'rotate') return t('rotate', { name: act.key.name });
  return act?.kind === 'revoke' ? t('revoke', { name: act.key.name }) : t('issue');
}

type OneTimeKeyProps = { issued: IssuedKey; applicationId: string; onClose: () => void };

function OneTimeKey({ issued, applicationId, onClose }: OneTimeKeyProps) {
  const t = useTranslations('applications.oneTimeKey');
  const trpc = useTRPC();
  const { data: application } = useQuery(trpc.applications.get.queryOptions({ application_id: applicationId }));
  return (
    <ShownOnce what="key" warning={t('warning')} onClose={onClose}>
      <Secret label={t('key', { name: issued.name })} text={issued.key} copy={t('copyKey')} first />
      <Secret label={t('env')} text={`API_KEY=${issued.key}`} copy={t('copyEnv')} />
      <Secret label={t('first')} text={curlOf(issued.key, application)} copy={t('copyCurl')}>
        {curlNote(t, application)}
      </Secret>
      <Text size="sm">
        {t.rich('docs', {
          docs: (text) => (
            <Anchor inherit underline="always" href="/docs" target="_blank">
              {text}
            </Anchor>
          ),
        })}
      </Text>
    </ShownOnce>
  );
}

function curlOf(key: string, application: ApplicationDetail | undefined): string {
  const lines = [`curl ${window.location.origin}/api/partner/v1/catalog`, `-H 'Authorization: Bearer ${key}'`];
  const origin = application?.origins[0];
  if (origin) lines.push(`-H 'Origin: ${origin}'`);
  return lines.join(' \\\n  ');
}

function curlNote(t: Translator<'applications.oneTimeKey'>, application: ApplicationDetail | undefined): string | null {
  if (!application) return null;
  if (application.suspended_at) return t('suspended');
  if (!application.scopes.includes('catalog.read')) return t('noCatalog');
  return application.networks.length > 0 ? t('networks') : null;
}

type RevokeFormProps = { target: KeyRow; onCancel: () => void; onChanged: () => Promise<unknown> };

function RevokeForm({ target, onCancel, onChanged }: RevokeFormProps) {
  const t = useTranslations('applications.revokeKey');
  const trpc = useTRPC();
  const { name, prefix, last_four: lastFour, last_used_at: lastUsed, requests_24h: requests } = target;
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        notifications.show({ message: t('done', { name }) });
        onCancel();
      },
    }),
  );
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>{t.rich('effect', { key: `${prefix}…${lastFour}`, b: (text) => <b>{text}</b> })}</List.Item>
        <List.Item>{t('others')}</List.Item>
      </List>
      <Alert color={requests > 0 ? 'red' : 'gray'}>
        {requests > 0 ? t('requests', { count: requests }) : t('noRequests')}{' '}
        {lastUsed ? t.rich('lastUsed', { time: () => <Time value={lastUsed} options={SHORT_TIME} /> }) : t('neverUsed')}
      </Alert>
      <Hint size="xs">{t('rotateInstead')}</Hint>
      <Problem error={revoke.error} />
      <FormEnd
        verb={t('revoke')}
        danger
        busy={revoke.isPending}
        onCancel={onCancel}
        onGo={() => revoke.mutate({ key_id: target.id })}
      />
    </Stack>
  );
}

type IssueFormProps = {
  applicationId: string;
  onCancel: () => void;
  onIssued: (issued: IssuedKey) => void;
};

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

function IssueForm({ applicationId, onCancel, onIssued }: IssueFormProps) {
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
  const submit = form.onSubmit((values) => {
    const input = { application_id: applicationId, name: trimName(values.name), expires_at: expiryOf(values) };
    void makeSecret(issue, input, onIssued);
  });
  const problem = issue.error?.data?.fields?.[0];
  return (
    <Form busy={issue.isPending} onSubmit={submit}>
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
        <Problem error={problem ? common('nameProblem', problem) : issue.error} />
        <ReadinessLine applicationId={applicationId} />
        <FormEnd verb={t('issue')} busy={issue.isPending} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

/** In LIVE: what the application has shown in TEST, beside the button that issues a key. */
function ReadinessLine({ applicationId }: { applicationId: string }) {
  const t = useTranslations('applications.readiness');
  const trpc = useTRPC();
  const { data } = useQuery(trpc.readiness.get.queryOptions({ application_id: applicationId }));
  if (data?.environment !== 'LIVE') return null;
  const readiness = data.accepted?.readiness;
  return <Hint>{readiness ? t('line', { score: scoreText(t, readiness) }) : t('noLine')}</Hint>;
}

type RotateFormProps = { target: KeyRow; onCancel: () => void; onIssued: (issued: IssuedKey) => void };

const OVERLAPS = [
  { value: 'now', label: 'now', description: 'nowHelp' },
  { value: '1h', label: 'in1h', description: null },
  { value: '24h', label: 'in24h', description: 'in24hHelp' },
  { value: '7d', label: 'in7d', description: null },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

function RotateForm({ target, onCancel, onIssued }: RotateFormProps) {
  const t = useTranslations('applications.rotateKey');
  const trpc = useTRPC();
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotate = useMutation(trpc.keys.rotate.mutationOptions({ gcTime: 0 }));
  const { expires_at: expires } = target;
  const problem = rotate.error?.data?.fields?.[0];
  const b = (text: ReactNode) => <b>{text}</b>;
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>{expires ? t('newKeyLifetime') : t('newKey')}</List.Item>
        <List.Item>
          {expires
            ? t.rich('oldKeyExpires', { end: target.last_four, b, time: () => <Time value={expires} options={DAY} /> })
            : t.rich('oldKey', { end: target.last_four, b })}
        </List.Item>
        <List.Item>{t('others')}</List.Item>
      </List>
      <Fields busy={rotate.isPending}>
        <Radio.Group
          label={t('overlap')}
          value={overlap}
          onChange={(value) => setOverlap(OVERLAPS.find((one) => one.value === value)?.value ?? '24h')}
        >
          <Stack gap="xs" mt="xs">
            {OVERLAPS.map(({ value, label, description }) => (
              <Radio
                key={value}
                value={value}
                label={t(label)}
                description={description && t(description)}
                data-autofocus={value === overlap || undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Fields>
      <Hint size="xs">{t('once')}</Hint>
      <Problem error={problem ? t('keyProblem', { problem: problem.message }) : rotate.error} />
      <FormEnd
        verb={t('rotate')}
        danger={overlap === 'now'}
        busy={rotate.isPending}
        onCancel={onCancel}
        onGo={() => void makeSecret(rotate, { key_id: target.id, overlap }, onIssued)}
      />
    </Stack>
  );
}
