'use client';

import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { Dialog } from '../../../../_components/dialogs/dialog';
import { IssueForm } from './issue-form';
import { OneTimeKey } from './one-time-key';
import { RevokeForm } from './revoke-form';
import { RotateForm } from './rotate-form';
import type { KeyDialogState } from './use-key-dialog';

type Props = { applicationId: string; dialog: KeyDialogState; onChanged: () => Promise<unknown> };

/**
 * Issues, rotates, or revokes a key. While a new key is shown, neither Escape nor a click outside closes the dialog,
 * because the key cannot be shown again.
 */
export function KeyDialog({ applicationId, dialog, onChanged }: Props) {
  const t = useTranslations('applications.keyDialog');
  const { act, opened, issued, show, close, onClosed } = dialog;
  const guarded = issued !== null;
  const forms = { onCancel: close, onChanged, onIssued: show };
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
      title={titleOf(t, dialog)}
    >
      {issued ? (
        <OneTimeKey issued={issued} applicationId={applicationId} onClose={close} />
      ) : act?.kind === 'issue' ? (
        <IssueForm applicationId={applicationId} {...forms} />
      ) : act?.kind === 'rotate' ? (
        <RotateForm target={act.key} {...forms} />
      ) : act?.kind === 'revoke' ? (
        <RevokeForm target={act.key} {...forms} />
      ) : null}
    </Dialog>
  );
}

function titleOf(t: Translator<'applications.keyDialog'>, { act, issued }: KeyDialogState): string {
  if (issued) return t('store');
  if (act?.kind === 'rotate') return t('rotate', { name: act.key.name });
  return act?.kind === 'revoke' ? t('revoke', { name: act.key.name }) : t('issue');
}
