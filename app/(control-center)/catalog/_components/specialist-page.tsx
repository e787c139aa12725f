'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../_components/trpc';

import { OutsideNotice } from './outside-notice';
import { PublishButton } from './publish-button';
import { RecordEditor } from './record-editor';
import { RecordHeader, RecordState } from './record-header';
import { SpecialistFields, type SpecialistValues } from './specialist-fields';
import type { Choices, SpecialistRecord } from './types';
import { type RecordForm, useRecordForm } from './use-record-form';

type Props = { id: string; canEdit: boolean };

/** The page of one specialist. */
export function SpecialistPage({ id, canEdit }: Props) {
  const trpc = useTRPC();
  const query = useQuery(trpc.catalog.specialists.get.queryOptions({ id }));
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!query.data) return <RecordState what="specialist" query={query} />;
  if (!choices.data) return <RecordState what="specialist" query={choices} />;
  return <Loaded {...query.data} canEdit={canEdit} choices={choices.data} />;
}

/** Saves and publishes, and sees to it that the pages show what is stored: after a refusal too. */
function useSave(form: RecordForm<SpecialistValues>) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
  const update = useMutation(
    trpc.catalog.specialists.update.mutationOptions({
      onSuccess: (saved) => {
        form.saved(saved.version);
        notifications.show({ message: 'Saved. Partners see it within a second.' });
        return refresh();
      },
      onError: (error) => {
        form.refused(error);
        if (error.data?.code === 'version_conflict') void refresh();
      },
    }),
  );
  const publish = useMutation(trpc.catalog.specialists.set_published.mutationOptions({ onSettled: refresh }));
  return { update, publish };
}

type LoadedProps = Props & { version: number; record: SpecialistRecord; choices: Choices };

function Loaded({ id, canEdit, version, record: { published, ...record }, choices }: LoadedProps) {
  const trpc = useTRPC();
  const outside = useQuery(trpc.catalog.specialists.outside.queryOptions({ id }, { staleTime: 0 }));
  const form = useRecordForm<SpecialistValues>({ version, record });
  const { update, publish } = useSave(form);
  const name = record.display_name;
  return (
    <>
      <RecordHeader
        what="specialist"
        id={id}
        name={name}
        published={published}
        actions={
          canEdit && (
            <PublishButton
              what="specialist"
              name={name}
              published={published}
              outside={outside.data}
              pending={publish.isPending}
              problem={publish.error?.message ?? null}
              disabled={form.dirty.length > 0}
              onConfirm={(next) => publish.mutateAsync({ id, expected_version: version, published: next })}
            />
          )
        }
      />
      <Stack gap="md">
        <OutsideNotice outside={outside.data} />
        <RecordEditor
          form={form}
          canEdit={canEdit}
          action="Save specialist"
          pending={update.isPending}
          onSave={(values) => update.mutate({ id, expected_version: form.base.version, record: values })}
        >
          <SpecialistFields form={form} choices={choices} />
        </RecordEditor>
      </Stack>
    </>
  );
}
