'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import dynamic from 'next/dynamic';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Form } from '../../../_components/forms/form';
import { Problem } from '../../../_components/forms/form-end';
import { SaveBar } from '../../../_components/forms/save-bar';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import own from '../catalog.module.css';
import { useWords, type Words } from '../words';
import { FieldErrorsProvider, fieldErrorsOf, fieldLabel, useFieldErrors } from './form-context';
import type { RecordForm, Refusal } from './use-record-form';

// Only an answer or a click opens it, so it is not part of the first scripts.
const ConfirmDialog = dynamic(
  () => import('../../../_components/dialogs/confirm-dialog').then((module) => module.ConfirmDialog),
  { ssr: false },
);

// Few pages need it, and only after an answer of the server, so it is not part of the first scripts.
const RecordConflict = dynamic(() => import('./record-conflict').then((module) => module.RecordConflict), {
  ssr: false,
}) as <Values extends object>(props: { form: RecordForm<Values> }) => ReactNode;

type Props<Values extends object> = {
  form: RecordForm<Values>;
  canEdit: boolean;
  action: string;
  /** Whether the record is new. A new record can be submitted unchanged. The server's errors then name the missing fields. */
  isNew?: boolean;
  pending: boolean;
  /** Whether the dialog that confirms the save is open. After it closes, the submit button gets the focus back. */
  isConfirming?: boolean;
  questionOf?: (words: Words, before: Values, after: Values) => string | null;
  onSave: (values: Values) => void;
  children: ReactNode;
};

/** The form of a record with its notices and its save bar. */
export function RecordEditor<Values extends object>(props: Props<Values>) {
  const { form, canEdit, onSave, children, questionOf, isConfirming = false, ...bar } = props;
  const words = useWords();
  const { t } = words;
  const { isDirty, refusal } = form;
  const [question, setQuestion] = useState<string | null>(null);
  const [isAsking, { open: ask, close: goBack }] = useDisclosure();
  useLeaveWarning(isDirty);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const unreadable = event.currentTarget.querySelector<HTMLElement>('[data-unreadable]');
    if (unreadable) return unreadable.focus();
    if (bar.pending) return;
    const next = questionOf?.(words, form.before, form.values) ?? null;
    if (next === null) return onSave(form.values);
    setQuestion(next);
    ask();
  };
  const confirm = () => {
    goBack();
    onSave(form.values);
  };
  return (
    <Form busy={bar.pending} isConfirming={isConfirming} onSubmit={submit}>
      <ConfirmDialog
        title={t('editor.savePrice')}
        opened={isAsking}
        onClose={goBack}
        cancel={t('editor.back')}
        action={t('editor.saveAnyway')}
        onConfirm={confirm}
      >
        <Text size="sm">{question}</Text>
      </ConfirmDialog>
      <FieldErrorsProvider errors={form.errors}>
        <Stack maw={1160} gap="md">
          {!canEdit && <Text size="sm">{t('editor.readOnly')}</Text>}
          {refusal && fieldErrorsOf(refusal).length > 0 && <ErrorSummary refusal={refusal} />}
          <fieldset disabled={!canEdit} className={own.form}>
            {children}
          </fieldset>
          {canEdit && (isDirty || bar.isNew) && <SaveButtons form={form} {...bar} />}
        </Stack>
      </FieldErrorsProvider>
    </Form>
  );
}

function ErrorSummary({ refusal }: { refusal: Refusal }) {
  const words = useWords();
  const { labels } = useFieldErrors();
  return (
    <Alert color="red" role="alert" title={refusal.message}>
      {fieldErrorsOf(refusal)
        .slice(0, 10)
        .map(({ path, message }) => (
          <Text key={path} size="sm">
            {words.t.rich('editor.problem', {
              field: fieldLabel(words, labels, path),
              problem: message,
              b: (text) => <b>{text}</b>,
            })}
          </Text>
        ))}
    </Alert>
  );
}

/** A refusal that no field explains. It is shown beside the button, which can be far below the start of the form. */
function Failure({ refusal }: { refusal: Refusal | null }) {
  if (!refusal || refusal.data?.code === 'version_conflict' || fieldErrorsOf(refusal).length > 0) return null;
  return <Problem error={refusal} />;
}

type BarProps<Values extends object> = Pick<Props<Values>, 'form' | 'action' | 'isNew' | 'pending'>;

function SaveButtons<Values extends object>({ form, action, isNew = false, pending }: BarProps<Values>) {
  const t = useTranslations('catalog.editor');
  return (
    <SaveBar
      status={t(isNew ? 'notSaved' : 'unsaved')}
      notice={form.isStale ? <RecordConflict form={form} /> : <Failure refusal={form.refusal} />}
    >
      {!isNew && (
        <Button variant="default" onClick={form.discard}>
          {t('discard')}
        </Button>
      )}
      <Button type="submit" loading={pending} disabled={form.isStale}>
        {action}
      </Button>
    </SaveBar>
  );
}
