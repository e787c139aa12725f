'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { PageHeader } from '../../_components/page-header';
import { EmptyState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { RecordEditor } from './record-editor';
import { RecordState, trailOf } from './record-header';
import { NEW_SERVICE, ServiceFields, type ServiceValues } from './service-fields';
import type { Choices } from './types';
import { useRecordForm } from './use-record-form';

/** Creates a service, unpublished, and goes on to its page. */
export function NewService({ canEdit }: { canEdit: boolean }) {
  const trpc = useTRPC();
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!choices.data) return <RecordState what="service" query={choices} />;
  return (
    <>
      <PageHeader trail={trailOf('service')} title="New service" lead="It is not published until you say so." />
      {canEdit ? (
        <Form choices={choices.data} />
      ) : (
        <EmptyState title="Not for your role">An owner of this Control Center can create services.</EmptyState>
      )}
    </>
  );
}

function Form({ choices }: { choices: Choices }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const form = useRecordForm<ServiceValues>({ version: 1, record: NEW_SERVICE });
  const create = useMutation(
    trpc.catalog.services.create.mutationOptions({
      onError: (error) => form.refused(error),
      onSuccess: ({ id }) => {
        void queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
        router.push(`/catalog/services/${id}`);
      },
    }),
  );
  return (
    <RecordEditor
      form={form}
      canEdit
      isNew
      action="Create service"
      pending={create.isPending || create.isSuccess}
      onSave={(record) => create.mutate({ record })}
    >
      <ServiceFields form={form} choices={choices} />
    </RecordEditor>
  );
}
