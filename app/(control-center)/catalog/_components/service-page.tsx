'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../_components/trpc';
import { OfferingsEditor } from './offerings-editor';
import { OutsideNotice } from './outside-notice';
import { PublishButton } from './publish-button';
import { RecordEditor } from './record-editor';
import { RecordHeader, RecordState } from './record-header';
import { ServiceFields, type ServiceValues } from './service-fields';
import type { Choices, ServiceRecord } from './types';
import { type RecordForm, useRecordForm } from './use-record-form';

type Props = { id: string; canEdit: boolean };

/** The page of one service. */
export function ServicePage({ id, canEdit }: Props) {
  const trpc = useTRPC();
  const query = useQuery(trpc.catalog.services.get.queryOptions({ id }));
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!query.data) return <RecordState what="service" query={query} />;
  if (!choices.data) return <RecordState what="service" query={choices} />;
  return <Loaded {...query.data} canEdit={canEdit} choices={choices.data} />;
}

/** Saves and publishes, and sees to it that the pages show what is stored: after a refusal too. */
function useSave(form: RecordForm<ServiceValues>) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
  const update = useMutation(
    trpc.catalog.services.update.mutationOptions({
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
  const publish = useMutation(trpc.catalog.services.set_published.mutationOptions({ onSettled: refresh }));
  return { update, publish };
}

type LoadedProps = Props & { version: number; record: ServiceRecord; choices: Choices };

function Loaded({ id, canEdit, version, record: { published, ...record }, choices }: LoadedProps) {
  const trpc = useTRPC();
  const outside = useQuery(trpc.catalog.services.outside.queryOptions({ id }, { staleTime: 0 }));
  const form = useRecordForm<ServiceValues>({ version, record });
  const { update, publish } = useSave(form);
  const name = record.name[choices.default_locale] ?? 'Service';
  return (
    <>
      <RecordHeader
        what="service"
        id={id}
        name={name}
        published={published}
        actions={
          canEdit && (
            <PublishButton
              what="service"
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
          action="Save service"
          pending={update.isPending}
          onSave={(values) => update.mutate({ id, expected_version: form.base.version, record: values })}
        >
          <ServiceFields form={form} choices={choices} />
        </RecordEditor>
        <OfferingsEditor serviceId={id} canEdit={canEdit} choices={choices} />
      </Stack>
    </>
  );
}
