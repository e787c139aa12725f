'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import type { FieldsProps, KindTypes, RecordKind } from './kind';
import { RecordEditor } from './record-editor';
import { RecordState, trailOf } from './record-header';
import type { Choices } from './types';
import { type Refusal, useRecordForm } from './use-record-form';

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

function Form<K extends KindTypes>({
  kind: { name, path, initial, questionOf, useProcedures },
  Fields,
  choices,
}: FormProps<K>) {
  const t = useTranslations('catalog.kinds');
  const trpc = useTRPC();
  const procedures = useProcedures();
  const queries = useQueryClient();
  const router = useRouter();
  const hrefOf = useTenantHref();
  const form = useRecordForm<K['values']>({ version: 1, record: initial });
  const create = useMutation<{ id: string }, Refusal, K['values']>({
    mutationFn: (record) => procedures.create.mutate({ record }),
    onError: (error) => form.refused(error),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
      router.push(hrefOf(`${path}/${id}`));
    },
  });
  return (
    <RecordEditor
      form={form}
      canEdit
      isNew
      action={t(`${name}.create`)}
      pending={create.isPending || create.isSuccess}
      questionOf={questionOf}
      onSave={(record) => create.mutate(record)}
    >
      <Fields form={form} choices={choices} canEdit isNew />
    </RecordEditor>
  );
}
