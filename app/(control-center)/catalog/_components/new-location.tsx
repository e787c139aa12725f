'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { PageHeader } from '../../_components/page-header';
import { EmptyState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { LocationFields, type LocationValues, NEW_LOCATION } from './location-fields';
import { RecordEditor } from './record-editor';
import { RecordState, trailOf } from './record-header';
import type { Choices } from './types';
import { useRecordForm } from './use-record-form';

/** Creates a location, unpublished, and goes on to its page. */
export function NewLocation({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!choices.data) return <RecordState what="location" query={choices} />;
  return (
    <>
      <PageHeader trail={trailOf('location')} title="New location" lead="It is not published until you say so." />
      {canEdit ? (
        <Form choices={choices.data} />
      ) : (
        <EmptyState title="Not for your role">An owner of this Control Center can create locations.</EmptyState>
      )}
    </>
  );
}

function Form({ choices }: { choices: Choices }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const form = useRecordForm<LocationValues>({ version: 1, record: NEW_LOCATION });
  const create = useMutation(
    trpc.catalog.locations.create.mutationOptions({
      onError: (error) => form.refused(error),
      onSuccess: ({ id }) => {
        void queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
        router.push(`/catalog/locations/${id}`);
      },
    }),
  );
  return (
    <RecordEditor
      form={form}
      canEdit
      isNew
      action="Create location"
      pending={create.isPending || create.isSuccess}
      onSave={(record) => create.mutate({ record })}
    >
      <LocationFields form={form} choices={choices} />
    </RecordEditor>
  );
}
