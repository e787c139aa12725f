'use client';

import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { plural } from '../../_components/format';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { AffectedList, affectedTitle, NOTHING_SEEN } from './affected-dialog';
import type { Changed, KindTypes, RecordKind } from './kind';
import type { Affected, Outside } from './types';
import { UNOFFERED_NOTICE, UnofferedNotice } from './unoffered-notice';
import type { Refusal } from './use-record-form';

type Props<K extends KindTypes> = {
  kind: RecordKind<K>;
  id: string;
  name: string;
  published: boolean;
  /** Whether the record is a service that no specialist offers. */
  isUnoffered: boolean;
  /** Why partners cannot book the record after it is published; null if nothing is missing. */
  unready: string | null;
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
  const [opened, { open, close }] = useDisclosure();
  const { affected, isLoading, isOutdated, replace } = useUnpublishing(kind, id, opened && published);
  const verb = published ? 'Unpublish' : 'Publish';
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
        {verb}
      </Button>
      <ConfirmDialog
        title={`${verb} ${name}?`}
        opened={opened}
        onClose={close}
        action={isWarning ? 'Publish anyway' : `${verb} ${kind.name}`}
        describedBy={isWarning ? UNOFFERED_NOTICE : undefined}
        danger={published}
        busy={pending || isLoading}
        problem={isOutdated ? 'The bookings have changed. Check the list again.' : problem}
        onConfirm={confirm}
      >
        {published ? (
          <Consequences effect={kind.unpublishEffect} upcoming={outside?.upcoming ?? 0} affected={affected} />
        ) : (
          <>
            {isUnoffered && <UnofferedNotice onLeave={close} />}
            {!isUnoffered && unready && (
              <Alert id={UNOFFERED_NOTICE} color="yellow" title="Partners get no times">
                {unready}
              </Alert>
            )}
            <Text size="sm">{kind.publishEffect}</Text>
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
  return (
    <>
      <Points title="What changes" points={[effect]} />
      <Points
        title="What does not change"
        points={[
          upcoming === 0
            ? 'There are no future bookings, so none will change.'
            : `${plural(upcoming, 'future booking')} will be kept.`,
          'Partners can still read and cancel existing bookings.',
          'Nothing is deleted. You can publish again at any time.',
        ]}
      />
      {affected && affected.count > 0 && (
        <>
          <Text size="sm" fw={600}>
            {affectedTitle(affected)}
          </Text>
          <AffectedList affected={affected} />
        </>
      )}
    </>
  );
}
