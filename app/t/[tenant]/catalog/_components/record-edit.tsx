'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { useTRPC } from '../../_components/trpc';
import { AffectedDialog, NOTHING_SEEN, useAffected } from './affected-dialog';
import type { Changed, FieldsProps, KindTypes, RecordKind } from './kind';
import { OutsideNotice } from './outside-notice';
import { PublishButton } from './publish-button';
import { RecordEditor } from './record-editor';
import { RecordHeader, RecordState } from './record-header';
import type { Choices, Outside } from './types';
import { type RecordForm, type Refusal, useRecordForm } from './use-record-form';

type Props<K extends KindTypes> = {
  kind: RecordKind<K>;
  Fields: ComponentType<FieldsProps<K['values']>>;
  id: string;
  canEdit: boolean;
};

/** Shows and edits one record. */
export function RecordEdit<K extends KindTypes>(props: Props<K>) {
  const { kind, id } = props;
  const trpc = useTRPC();
  const procedures = kind.useProcedures();
  const query = useQuery<{ version: number; record: K['doc'] }, Refusal>({
    queryKey: trpc.catalog[kind.router].get.queryKey({ id }),
    queryFn: () => procedures.get.query({ id }),
  });
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!query.data) return <RecordState kind={kind} query={query} />;
  if (!choices.data) return <RecordState kind={kind} query={choices} />;
  return <Loaded {...props} {...query.data} choices={choices.data} />;
}

type LoadedProps<K extends KindTypes> = Props<K> & { version: number; record: K['doc']; choices: Choices };

function Loaded<K extends KindTypes>(props: LoadedProps<K>) {
  const { kind, Fields, id, canEdit, version, record, choices } = props;
  const t = useTranslations('catalog.kinds');
  const form = useRecordForm<K['values']>({ version, record: kind.valuesOf(record) });
  const { outside, affected, update, publish } = useRecordChanges(props, form);
  const name = kind.titleOf(record, choices) ?? t(`${kind.name}.name`);
  return (
    <>
      <RecordHeader
        kind={kind}
        id={id}
        name={name}
        published={record.published}
        actions={
          canEdit && (
            <PublishButton
              kind={kind}
              id={id}
              name={name}
              published={record.published}
              isUnoffered={kind.unoffered?.record(record) ?? false}
              unready={kind.unready?.(record) ?? null}
              outside={outside.data}
              pending={publish.isPending}
              problem={publish.error?.message ?? null}
              disabled={form.isDirty}
              onConfirm={publish.mutateAsync}
            />
          )
        }
      />
      <Stack gap="md">
        <OutsideNotice outside={outside.data} />
        <RecordEditor
          form={form}
          canEdit={canEdit}
          action={t(`${kind.name}.save`)}
          pending={update.isPending}
          isConfirming={affected.opened}
          questionOf={kind.questionOf}
          onSave={(values) => update.mutate({ values, confirmed: NOTHING_SEEN })}
        >
          <Fields form={form} choices={choices} canEdit={canEdit} isNew={false} />
        </RecordEditor>
        <AffectedDialog
          state={affected}
          busy={update.isPending}
          onConfirm={(confirmed) => update.mutate({ values: form.values, confirmed })}
        />
      </Stack>
    </>
  );
}

/**
 * Returns the mutations `update` and `publish` of a record. Also returns its bookings that the catalog no longer allows
 * (`outside`), and the bookings that the user must confirm before the record is saved (`affected`). `update` reloads
 * the catalog after the record is saved and after a version conflict. `publish` always reloads the catalog.
 */
function useRecordChanges<K extends KindTypes>({ kind, id, version }: LoadedProps<K>, form: RecordForm<K['values']>) {
  const t = useTranslations('catalog.kinds');
  const trpc = useTRPC();
  const procedures = kind.useProcedures();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
  const outside = useQuery<Outside, Refusal>({
    queryKey: trpc.catalog[kind.router].outside.queryKey({ id }),
    queryFn: () => procedures.outside.query({ id }),
    staleTime: 0,
  });
  const affected = useAffected();
  const update = useMutation<Changed, Refusal, { values: K['values']; confirmed: string }>({
    mutationFn: ({ values: record, confirmed }) =>
      procedures.update.mutate({
        id,
        expected_version: form.version,
        confirmed,
        record,
        before: form.before,
      }),
    onSuccess: (saved) => {
      if ('affected' in saved) return affected.show(saved.affected);
      affected.close();
      form.saved(saved.version);
      notifications.show({ message: t(`${kind.name}.saved`) });
      return refresh();
    },
    onError: (error) => {
      affected.close();
      form.refused(error);
      if (error.data?.code === 'version_conflict') void refresh();
    },
  });
  const publish = useMutation<Changed, Refusal, { published: boolean; confirmed: string }>({
    mutationFn: (change) => procedures.set_published.mutate({ id, expected_version: version, ...change }),
    onSettled: refresh,
  });
  return { outside, affected, update, publish };
}
