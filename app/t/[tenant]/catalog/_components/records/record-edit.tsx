'use client';

import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type ComponentType, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Points } from '../../../_components/forms/form-end';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import {
  type Changed,
  type FieldsProps,
  inputOf,
  type KindTypes,
  type RecordKind,
  type Unready,
  useProcedures,
} from '../kind';
import { OutsideNotice } from '../offers/outside-notice';
import type { Affected, Choices, Outside } from '../types';
import { UNOFFERED_NOTICE } from '../words';
import { AffectedDialog, AffectedList, affectedTitle, NOTHING_SEEN, useAffected } from './affected-dialog';
import { RecordEditor } from './record-editor';
import { RecordHeader, RecordState } from './record-header';
import { type RecordForm, useRecordForm } from './use-record-form';

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
  const query = useQuery(useProcedures(kind).get.queryOptions({ id }));
  const choices = useQuery(trpc.catalog.choices.queryOptions());
  if (!query.data) return <RecordState kind={kind} query={query} />;
  if (!choices.data) return <RecordState kind={kind} query={choices} />;
  return <Loaded {...props} {...query.data} choices={choices.data} />;
}

type LoadedProps<K extends KindTypes> = Props<K> & { version: number; record: K['doc']; choices: Choices };

function Loaded<K extends KindTypes>(props: LoadedProps<K>) {
  const { kind, Fields, id, canEdit, version, record, choices } = props;
  const t = useTranslations('catalog.kinds');
  const { published, ...values } = record;
  const form = useRecordForm<K['values']>({ version, record: values }, () =>
    notifications.show({ message: t(`${kind.name}.saved`) }),
  );
  const { outside, affected, update, save, setPublished, publish } = useRecordChanges(props, form);
  const name = kind.titleOf(record, choices) ?? t(`${kind.name}.name`);
  return (
    <>
      <RecordHeader
        kind={kind}
        id={id}
        name={name}
        published={published}
        actions={
          canEdit && (
            <PublishButton
              kind={kind}
              id={id}
              name={name}
              published={published}
              isUnoffered={kind.unoffered?.record(record) ?? false}
              unready={kind.unready?.(record) ?? null}
              outside={outside.data}
              pending={setPublished.isPending}
              problem={setPublished.error?.message ?? null}
              disabled={form.isDirty}
              onConfirm={publish}
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
          onSave={(given) => save(given, NOTHING_SEEN)}
        >
          <Fields form={form} choices={choices} canEdit={canEdit} isNew={false} />
        </RecordEditor>
        <AffectedDialog
          state={affected}
          busy={update.isPending}
          onConfirm={(confirmed) => save(form.values, confirmed)}
        />
      </Stack>
    </>
  );
}

/** Also returns its bookings that the catalog no longer allows (`outside`), and those that the user must confirm (`affected`). */
function useRecordChanges<K extends KindTypes>({ kind, id, version }: LoadedProps<K>, form: RecordForm<K['values']>) {
  const t = useTranslations('catalog.kinds');
  const trpc = useTRPC();
  const procedures = useProcedures(kind);
  const refresh = useDone(trpc.catalog);
  const outside = useQuery(procedures.outside.queryOptions({ id }, { staleTime: 0 }));
  const affected = useAffected();
  const update = useMutation(
    procedures.update.mutationOptions({
      onSuccess: (saved) => {
        if ('affected' in saved) return affected.show(saved.affected);
        affected.close();
        form.saved(saved.version);
        return refresh(t(`${kind.name}.saved`));
      },
      onError: (error) => {
        affected.close();
        form.refused(error);
        if (error.data?.code === 'version_conflict') return refresh();
      },
    }),
  );
  const save = (values: K['values'], confirmed: string) =>
    update.mutate({ id, expected_version: form.version, confirmed, ...inputOf(kind, form.before, values) });
  const setPublished = useMutation(procedures.set_published.mutationOptions({ onSettled: () => refresh() }));
  const publish = (change: { published: boolean; confirmed: string }) =>
    setPublished.mutateAsync({ id, expected_version: version, ...change });
  return { outside, affected, update, save, setPublished, publish };
}

// Only an answer or a click opens them, so they are not part of the first scripts.
const ConfirmDialog = dynamic(
  () => import('../../../_components/dialogs/confirm-dialog').then((module) => module.ConfirmDialog),
  { ssr: false },
);
const UnofferedNotice = dynamic(() => import('../offers/unoffered-notice').then((module) => module.UnofferedNotice), {
  ssr: false,
});

type PublishButtonProps<K extends KindTypes> = {
  kind: RecordKind<K>;
  id: string;
  name: string;
  published: boolean;
  isUnoffered: boolean;
  /** Why partners cannot book the record after it is published; null if nothing is missing. */
  unready: Unready | null;
  outside: Outside | undefined;
  pending: boolean;
  problem: string | null;
  disabled: boolean;
  onConfirm: (change: { published: boolean; confirmed: string }) => Promise<Changed>;
};

function PublishButton<K extends KindTypes>(props: PublishButtonProps<K>) {
  const { kind, id, name, published, isUnoffered, unready, outside, pending, problem, disabled, onConfirm } = props;
  const t = useTranslations('catalog');
  const [opened, { open, close }] = useDisclosure();
  const { affected, isLoading, isOutdated, begin, replace } = useUnpublishing(kind, id, opened && published);
  const ask = () => {
    begin();
    open();
  };
  const verb = published ? 'unpublish' : 'publish';
  const isWarning = !published && (isUnoffered || unready !== null);
  const confirm = () =>
    onConfirm({ published: !published, confirmed: affected?.digest ?? NOTHING_SEEN }).then(
      (result) => ('affected' in result ? replace(result.affected) : close()),
      () => {
        // If the change fails, the dialog stays open and shows `problem`.
      },
    );
  return (
    <>
      <Button variant={published ? 'default' : 'filled'} onClick={ask} disabled={disabled}>
        {t(`publish.${verb}`)}
      </Button>
      <ConfirmDialog
        title={t(published ? 'publish.askUnpublish' : 'publish.askPublish', { name })}
        opened={opened}
        onClose={close}
        action={isWarning ? t('publish.anyway') : t(`kinds.${kind.name}.${verb}`)}
        describedBy={isWarning ? UNOFFERED_NOTICE : undefined}
        danger={published}
        busy={pending || isLoading}
        problem={isOutdated ? t('publish.outdated') : problem}
        onConfirm={confirm}
      >
        {published ? (
          <Consequences
            effect={t(`kinds.${kind.name}.unpublishEffect`)}
            upcoming={outside?.upcoming ?? 0}
            affected={affected}
          />
        ) : (
          <>
            {isUnoffered && <UnofferedNotice onLeave={close} />}
            {!isUnoffered && unready && (
              <Alert id={UNOFFERED_NOTICE} color="yellow" title={t('publish.noTimes')}>
                {t(`unready.${unready}`)}
              </Alert>
            )}
            <Text size="sm">{t(`kinds.${kind.name}.publishEffect`)}</Text>
          </>
        )}
      </ConfirmDialog>
    </>
  );
}

function useUnpublishing<K extends KindTypes>(kind: RecordKind<K>, id: string, enabled: boolean) {
  const queries = useQueryClient();
  const { unpublishing } = useProcedures(kind);
  const [isOutdated, setOutdated] = useState(false);
  const options = { enabled, staleTime: 0, gcTime: 0, refetchOnWindowFocus: false };
  const query = useQuery(unpublishing.queryOptions({ id }, options));
  const replace = (affected: Affected) => {
    queries.setQueryData(unpublishing.queryKey({ id }), affected);
    setOutdated(true);
  };
  const begin = () => setOutdated(false);
  return { affected: query.data, isLoading: enabled && query.isFetching, isOutdated, begin, replace };
}

type ConsequencesProps = { effect: string; upcoming: number; affected: Affected | undefined };

function Consequences({ effect, upcoming, affected }: ConsequencesProps) {
  const t = useTranslations('catalog.publish');
  const tAffected = useTranslations('affected');
  return (
    <>
      <Points of="changes" points={[effect]} />
      <Points
        of="stays"
        points={[
          upcoming === 0 ? t('noBookings') : t('keptBookings', { count: upcoming }),
          t('stillReadable'),
          t('nothingDeleted'),
        ]}
      />
      {affected && affected.count > 0 && (
        <>
          <Text size="sm" fw={600}>
            {affectedTitle(tAffected, affected)}
          </Text>
          <AffectedList affected={affected} />
        </>
      )}
    </>
  );
}
