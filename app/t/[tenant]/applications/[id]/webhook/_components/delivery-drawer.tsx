'use client';

import { Code, Drawer, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { DeliveryDetail } from '../../../../_components/api-types';
import { CopyValue } from '../../../../_components/id';
import { EmptyState, ErrorState, LoadingRows } from '../../../../_components/states';
import { useTRPC } from '../../../../_components/trpc';
import { AttemptList } from './attempt-list';
import { DeliveryFacts } from './delivery-facts';
import { ReplayOne } from './replay-one';

/**
 * Milliseconds between polls of the delivery. `POLL_SOON` applies shortly before and during an attempt, `POLL_INTERVAL`
 * otherwise.
 */
const POLL_SOON = 700;
const POLL_INTERVAL = 5_000;

type Props = {
  applicationId: string;
  deliveryId: string | null;
  /** Whether the endpoint is active. */
  active: boolean;
  canEdit: boolean;
  /**
   * The element that gets the focus when the drawer closes, if the element that opened the drawer no longer exists and
   * the page contains no link to the delivery.
   */
  fallback: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** A drawer that shows a delivery with its payload and attempts. */
export function DeliveryDrawer({ deliveryId, fallback, onClose, ...rest }: Props) {
  const t = useTranslations('webhooks.drawer');
  // Keeps the delivery on the screen while the drawer fades out.
  const last = useRef(deliveryId);
  if (deliveryId) last.current = deliveryId;
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (deliveryId) opener.current = document.activeElement?.closest('main') ? document.activeElement : null;
  }, [deliveryId]);
  const returnFocus = () => {
    // A poll may have replaced the link that opened the drawer. In that case, the new link to the same delivery
    // receives the focus.
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
      title={t('title')}
    >
      {last.current && <Delivery key={last.current} deliveryId={last.current} {...rest} />}
    </Drawer>
  );
}

type OneProps = Omit<Props, 'deliveryId' | 'fallback' | 'onClose'> & { deliveryId: string };

function Delivery({ applicationId, deliveryId, active, canEdit }: OneProps) {
  const t = useTranslations('webhooks.drawer');
  const trpc = useTRPC();
  const input = { application_id: applicationId, delivery_id: deliveryId };
  const delivery = useQuery({
    ...trpc.webhooks.delivery.queryOptions(input),
    refetchInterval: ({ state: { data } }) => (data && isNear(data) ? POLL_SOON : POLL_INTERVAL),
  });
  if (delivery.isPending) return <LoadingRows rows={5} height={60} />;
  if (delivery.error?.data?.code === 'not_found') {
    return <EmptyState title={t('notFound')}>{t('notFoundText')}</EmptyState>;
  }
  if (!delivery.data) return <ErrorState error={delivery.error} retry={() => void delivery.refetch()} />;
  const { data } = delivery;
  return (
    <Stack gap="lg">
      <DeliveryFacts delivery={data} />
      {canEdit && <ReplayOne applicationId={applicationId} delivery={data} active={active} />}
      <Stack gap="xs">
        <Title order={3} size="h5">
          {t('attempts')}
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

/**
 * Shows the payload in a formatted form. The copy button copies the payload without formatting, exactly as it is signed
 * and sent.
 */
function Payload({ text }: { text: string }) {
  const t = useTranslations('webhooks.drawer');
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3} size="h5">
          {t('payload')}
        </Title>
        <CopyValue value={text} label={t('copyPayload')} />
      </Group>
      <Code block tabIndex={0} aria-label={t('payload')} style={{ overflowX: 'auto' }}>
        {pretty(text)}
      </Code>
    </Stack>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
