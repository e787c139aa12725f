'use client';

import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { AffectedList, affectedTitle, NOTHING_SEEN } from './affected-dialog';
import type { Changed, KindTypes, RecordKind, Unready } from './kind';
import type { Affected, Outside } from './types';
import type { Refusal } from './use-record-form';
import { UNOFFERED_NOTICE } from './words';

// Only an answer or a click opens them, so they are not part of the first scripts.
const ConfirmDialog = dynamic(
  () => import('../../_components/dialogs/confirm-dialog').then((module) => module.ConfirmDialog),
  { ssr: false },
);
const UnofferedNotice = dynamic(() => import('./unoffered-notice').then((module) => module.UnofferedNotice), {
  ssr: false,
});

type Props<K extends KindTypes> = {
  kind: RecordKind<K>;
  id: string;
  name: string;
  published: boolean;
  /** Whether the record is a service that no specialist offers. */
  isUnoffered: boolean;
  /** Why partners cannot book the record after it is published; null if nothing is missing. */
  unready: Unready | null;
  outside: Outside | undefined;
  pending: boolean;
  problem: string | null;
  disabled: boolean;
  onConfirm: (change: { published: boolean; confirmed: string }) => Promise<Changed>;
};

/**
 * The button that publishes or unpublishes a record. A dialog states the consequences before the change, including the
 * bookings that the catalog would no longer allow.
 */
export function PublishButton<K extends KindTypes>(props: Props<K>) {
  const { kind, id, name, published, isUnoffered, unready, outside, pending, problem, disabled, onConfirm } = props;
  const t = useTranslations('catalog');
  const [opened, { open, close }] = useDisclosure();
  const { affected, isLoading, isOutdated, replace } = useUnpublishing(kind, id, opened && published);
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
      <Button variant={published ? 'default' : 'filled'} onClick={open} disabled={disabled}>
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

/**
 * Returns the bookings that would be outside the catalog if the record were unpublished, and whether these bookings
 * have changed since the dialog opened.
 */
function useUnpublishing<K extends KindTypes>(kind: RecordKind<K>, id: string, enabled: boolean) {
  const procedures = kind.useProcedures();
  const queries = useQueryClient();
  const queryKey = useTRPC().catalog[kind.router].unpublishing.queryKey({ id });
  const [isOutdated, setOutdated] = useState(false);
  const query = useQuery<Affected, Refusal>({
    queryKey,
    queryFn: () => {
      setOutdated(false);
      return procedures.unpublishing.query({ id });
    },
    enabled,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const replace = (affected: Affected) => {
    queries.setQueryData(queryKey, affected);
    setOutdated(true);
  };
  return { affected: query.data, isLoading: enabled && query.isFetching, isOutdated, replace };
}

type ConsequencesProps = { effect: string; upcoming: number; affected: Affected | undefined };

function Consequences({ effect, upcoming, affected }: ConsequencesProps) {
  const t = useTranslations('catalog.publish');
  const tAffected = useTranslations('affected');
  return (
    <>
      <Points title={t('changes')} points={[effect]} />
      <Points
        title={t('remains')}
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
