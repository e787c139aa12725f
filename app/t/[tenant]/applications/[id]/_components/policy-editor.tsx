'use client';

import { Alert, Button, Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import type { ApplicationDetail } from '../../../_components/api-types';
import { SaveBar } from '../../../_components/forms/save-bar';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { PolicyFields } from '../../_components/policy-fields';
import { usePolicyEditor } from './use-policy-editor';

// These are needed only after the page is shown, so they are not part of its first scripts.
const ConflictNotice = dynamic(() => import('./conflict-notice').then((module) => module.ConflictNotice), {
  ssr: false,
});

const ReviewDialog = dynamic(() => import('./review-dialog').then((module) => module.ReviewDialog), { ssr: false });

/** Edits a policy. The user reviews the changes before they are saved. */
export function PolicyEditor({ application }: { application: ApplicationDetail }) {
  const t = useTranslations('applications.editor');
  const names = useTranslations('applications.partsInText');
  const editor = usePolicyEditor(application);
  const { form, base, both, parts, review, isDirty, isStale, save } = editor;
  useLeaveWarning(isDirty);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        editor.openReview();
      }}
    >
      <Stack maw={1160} gap="md">
        {both.length > 0 && (
          <Alert color="yellow" title={t('both')}>
            {t('bothText', { parts: both.map((part) => names(part)).join(', ') })}
          </Alert>
        )}
        <PolicyFields form={form} />
        {isDirty && (
          <SaveBar
            status={parts.length > 0 ? t('unsaved') : t('draft')}
            notice={
              isStale && (
                <ConflictNotice applicationId={application.id} version={base.version} onRebase={editor.rebase} />
              )
            }
          >
            <Button variant="default" onClick={editor.discard}>
              {t('discard')}
            </Button>
            <Button type="submit" disabled={isStale}>
              {t('review')}
            </Button>
          </SaveBar>
        )}
        <ReviewDialog
          application={application}
          before={base.policy}
          after={review}
          saving={save.isPending}
          problem={save.error?.data?.code === 'version_conflict' ? null : (save.error?.message ?? null)}
          onClose={editor.closeReview}
          onSave={editor.confirm}
        />
      </Stack>
    </form>
  );
}
