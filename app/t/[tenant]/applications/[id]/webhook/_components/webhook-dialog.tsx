'use client';

import type { Endpoint } from '../../../../_components/api-types';
import { Dialog } from '../../../../_components/dialogs/dialog';
import type { GuardedDialog } from '../../../_components/use-guarded-dialog';
import { CreateForm } from './create-form';
import { EditForm } from './edit-form';
import { EndSecretForm } from './end-secret-form';
import { OneTimeSecret } from './one-time-secret';
import { PauseForm } from './pause-form';
import { ReplayForm } from './replay-form';
import { ResumeForm } from './resume-form';
import { RotateForm } from './rotate-form';

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
      title={titleOf(dialog, endpoint)}
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

function titleOf({ act, issued }: Props['dialog'], endpoint: Endpoint | null): string {
  if (issued) return 'Store this secret now';
  const titles = {
    create: 'Create endpoint',
    edit: 'Edit endpoint',
    pause: 'Pause endpoint?',
    resume: endpoint?.state === 'disabled' ? 'Re-enable endpoint?' : 'Resume endpoint?',
    rotate: 'Rotate secret?',
    end: act?.kind === 'end' ? `Deactivate secret ${act.number}?` : '',
    replay: 'Replay failed deliveries',
  };
  return act ? titles[act.kind] : '';
}
