'use client';

import { Drawer, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import type { DeliveryDetail } from '../../../../_components/api-types';
import { EmptyState, ErrorState, LoadingRows } from '../../../../_components/states';
import { useTRPC } from '../../../../_components/trpc';
import { AttemptList } from './attempt-list';
import { DeliveryFacts } from './delivery-facts';
import { Payload } from './payload';
import { ReplayOne } from './replay-one';

/** Milliseconds between looks: while an attempt is near, and otherwise. */
const LOOK_SOON = 700;
const LOOK_EVERY = 5_000;

type Props = {
  applicationId: string;
  deliveryId: string | null;
  /** The endpoint sends. */
  active: boolean;
  canEdit: boolean;
  /** What gets the focus when nothing had opened the drawer. */
  fallback: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** One delivery: what was sent, and how each attempt went. */
export function DeliveryDrawer({ deliveryId, fallback, onClose, ...rest }: Props) {
  // What is fading out is still the one that was open.
  const last = useRef(deliveryId);
  if (deliveryId) last.current = deliveryId;
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (deliveryId) opener.current = document.activeElement?.closest('main') ? document.activeElement : null;
  }, [deliveryId]);
  const returnFocus = () => {
    // Polls may have rendered the link anew: the same delivery's counts.
    const back = document.querySelector<HTMLElement>(`main a[title="${last.current}"]`);
    const target = opener.current?.isConnected && opener.current !== document.body ? opener.current : back;
    if (target instanceof HTMLElement) target.focus();
    else fallback.current?.focus();
  };
  return (
    <Drawer
      opened={deliveryId !== null}
      onClose={onClose}
      onExitTransitionEnd={returnFocus}
      returnFocus={false}
      position="right"
      size="xl"
      title="Delivery"
    >
      {last.current && <Delivery key={last.current} deliveryId={last.current} {...rest} />}
    </Drawer>
  );
}

type OneProps = Omit<Props, 'deliveryId' | 'fallback' | 'onClose'> & { deliveryId: string };

function Delivery({ applicationId, deliveryId, active, canEdit }: OneProps) {
  const trpc = useTRPC();
  const input = { application_id: applicationId, delivery_id: deliveryId };
  const delivery = useQuery({
    ...trpc.webhooks.delivery.queryOptions(input),
    refetchInterval: ({ state: { data } }) => (data && isNear(data) ? LOOK_SOON : LOOK_EVERY),
  });
  if (delivery.isPending) return <LoadingRows rows={5} height={60} />;
  if (delivery.error?.data?.code === 'not_found') {
    return (
      <EmptyState title="No delivery with this id">
        Deliveries are kept as long as their events, held ones for at least 30 days. Each environment has its own.
      </EmptyState>
    );
  }
  if (!delivery.data) return <ErrorState error={delivery.error} retry={() => void delivery.refetch()} />;
  const { data } = delivery;
  return (
    <Stack gap="lg">
      <DeliveryFacts delivery={data} />
      {canEdit && <ReplayOne applicationId={applicationId} delivery={data} active={active} />}
      <Stack gap="xs">
        <Title order={3} size="h5">
          Attempts
        </Title>
        <AttemptList log={data.log} />
      </Stack>
      <Payload text={data.payload} />
    </Stack>
  );
}

function isNear(delivery: DeliveryDetail): boolean {
  const { under_way, manual_requested, next_attempt_at: next, state } = delivery;
  if (state === 'held') return false;
  return under_way || manual_requested || (next !== null && Date.parse(next) - Date.now() < 10_000);
}
