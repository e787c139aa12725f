'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { type FieldsProps, inputOf, type KindTypes, type RecordKind, useProcedures } from '../kind';
import type { Choices } from '../types';
import { RecordEditor } from './record-editor';
import { RecordState, trailOf } from './record-header';
import { useRecordForm } from './use-record-form';

type Props<K extends KindTypes> = {
  kind: RecordKind<K>;
  Fields: ComponentType<FieldsProps<K['values']>>;
  canEdit: boolean;
};

/** Creates an unpublished record and opens its page. */
export function NewRecord<K extends KindTypes>({ kind, Fields, canEdit }: Props<K>) {
  const t = useTranslations('catalog.kinds');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!choices.data) return <RecordState kind={kind} query={choices} />;
  return (
    <>
      <PageHeader trail={trailOf(t, kind)} title={t(`${kind.name}.new`)} lead={t(`${kind.name}.newLead`)} />
      {canEdit ? (
        <Form kind={kind} Fields={Fields} choices={choices.data} />
      ) : (
        <EmptyState title={tCommon('states.noAccess')}>{t(`${kind.name}.ownersOnly`)}</EmptyState>
      )}
    </>
  );
}

type FormProps<K extends KindTypes> = Omit<Props<K>, 'canEdit'> & { choices: Choices };

function Form<K extends KindTypes>({ kind, Fields, choices }: FormProps<K>) {
  const { name, path, initial, questionOf } = kind;
  const t = useTranslations('catalog.kinds');
  const trpc = useTRPC();
  const done = useDone(trpc.catalog);
  const router = useRouter();
  const hrefOf = useTenantHref();
  const form = useRecordForm<K['values']>({ version: 1, record: initial });
  const create = useMutation(
    useProcedures(kind).create.mutationOptions({
      onError: (error) => form.refused(error),
      onSuccess: ({ id }) => {
        // The page is left without a question.
        form.saved(1);
        void done();
        router.push(hrefOf(`${path}/${id}`));
      },
    }),
  );
  return (
    <RecordEditor
      form={form}
      canEdit
      isNew
      action={t(`${name}.create`)}
      pending={create.isPending || create.isSuccess}
      questionOf={questionOf}
      onSave={(values) => create.mutate({ record: inputOf(kind, initial, values).record })}
    >
      <Fields form={form} choices={choices} canEdit isNew />
    </RecordEditor>
  );
}
