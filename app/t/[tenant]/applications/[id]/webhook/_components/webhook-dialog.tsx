'use client';

import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { Endpoint } from '../../../../_components/api-types';
import { Dialog } from '../../../../_components/dialogs/dialog';
import { FormEnd, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { Secret, ShownOnce } from '../../../_components/shown-once';
import type { GuardedDialog } from '../../../_components/use-guarded-dialog';
import { EditForm } from './edit-form';
import { EndSecretForm } from './end-secret-form';
import { EndpointFields, showServerErrors, useEndpointForm } from './endpoint-fields';
import { PauseForm } from './pause-form';
import { ReplayForm } from './replay-form';
import { ResumeForm } from './resume-form';
import { RotateForm } from './rotate-form';
import { useRefresh } from './use-refresh';
import { CHANGE_TYPES } from './words';

/**
 * The action that the dialog performs. `endpoint` is the endpoint as it was when the dialog opened. The edit form
 * starts with the URL and event types of `endpoint`.
 */
export type WebhookAct =
  | { kind: 'create' | 'pause' | 'resume' | 'rotate' | 'replay' }
  | { kind: 'edit'; endpoint: Endpoint }
  | { kind: 'end'; number: number };

type Props = { applicationId: string; endpoint: Endpoint | null; dialog: GuardedDialog<WebhookAct, string> };

/**
 * The dialog that creates or changes the endpoint. While a new secret is shown, neither Escape nor a click outside
 * closes the dialog, because the secret cannot be shown again.
 */
export function WebhookDialog({ applicationId, endpoint, dialog }: Props) {
  const t = useTranslations('webhooks.dialog');
  const { opened, issued, close, onClosed } = dialog;
  const guarded = issued !== null;
  return (
    <Dialog
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
      size="lg"
      title={titleOf(t, dialog, endpoint)}
    >
      {issued ? (
        <OneTimeSecret secret={issued} onClose={close} />
      ) : (
        <Form applicationId={applicationId} endpoint={endpoint} dialog={dialog} />
      )}
    </Dialog>
  );
}

function Form({ applicationId, endpoint, dialog: { act, close, show } }: Props) {
  const shared = { applicationId, onCancel: close };
  if (act?.kind === 'create') return <CreateForm {...shared} onIssued={show} />;
  if (act?.kind === 'edit') return <EditForm {...shared} began={act.endpoint} />;
  if (act?.kind === 'end') return <EndSecretForm {...shared} number={act.number} />;
  if (!endpoint) return null;
  if (act?.kind === 'pause') return <PauseForm {...shared} endpoint={endpoint} />;
  if (act?.kind === 'resume') return <ResumeForm {...shared} endpoint={endpoint} />;
  if (act?.kind === 'rotate') return <RotateForm {...shared} endpoint={endpoint} onIssued={show} />;
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

type CreateFormProps = { applicationId: string; onCancel: () => void; onIssued: (secret: string) => void };

/** The form that creates the endpoint. It asks for the URL and the event types. */
function CreateForm({ applicationId, onCancel, onIssued }: CreateFormProps) {
  const t = useTranslations('webhooks.create');
  const common = useTranslations('common');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useEndpointForm({ url: '', event_types: [...CHANGE_TYPES] });
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({ gcTime: 0, onError: (error) => void showServerErrors(common, form, error) }),
  );
  const submit = form.onSubmit(async (values) => {
    const made = await create.mutateAsync({ application_id: applicationId, ...values }).catch(() => null);
    if (!made) return;
    // Removes the secret from the mutation cache, because only the dialog may hold the secret.
    create.reset();
    onIssued(made.secret);
    void refresh();
  });
  const atField = (create.error?.data?.fields.length ?? 0) > 0;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <EndpointFields form={form} />
        <Text size="sm" c="dimmed">
          {t('note')}
        </Text>
        <Problem error={atField ? null : create.error} />
        <FormEnd verb={t('go')} busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

const SNIPPET = `import { Webhook } from 'standardwebhooks';

// rawBody: the request body before JSON parsing.
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const event = webhook.verify(rawBody, headers); // throws if forged`;

/** Shows a new signing secret once, with code snippets for developers. */
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
