'use client';

import { Code, Drawer, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import type { Attempt, DeliveryDetail } from '../../../../_components/api-types';
import { CopyValue, Id } from '../../../../_components/id';
import { EmptyState, ErrorState, LoadingRows } from '../../../../_components/states';
import { Fact, Facts } from '../../../../_components/tables/facts';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { useDone } from '../../../../_components/use-done';
import { bookingHref } from '../../../../bookings/_components/query';
import { formatDuration } from '../../../../requests/_components/format';
import { requestHref } from '../../../../requests/_components/query';
import { StateBadge } from '../../../_components/state-badge';
import { AskInPlace } from './ask-in-place';
import { DeliveryStateBadge } from './state';
import { HELD_DAYS, outcomeOf } from './words';

/** Milliseconds. `POLL_SOON` applies shortly before and during an attempt. */
const POLL_SOON = 700;
const POLL_INTERVAL = 5_000;

type Props = {
  applicationId: string;
  deliveryId: string | null;
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

/** The copy button copies the payload exactly as it is signed and sent. */
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

function AttemptList({ log }: { log: Attempt[] }) {
  const t = useTranslations('webhooks.attemptList');
  if (log.length === 0) {
    return <Hint>{t('empty')}</Hint>;
  }
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('label')}>
      {log.map((attempt) => (
        <Paper key={attempt.number} component="li" withBorder p="sm" bg="var(--app-surface)">
          <One attempt={attempt} />
        </Paper>
      ))}
    </Stack>
  );
}

function One({ attempt }: { attempt: Attempt }) {
  const { number, kind, requested_by: by, started_at: at, duration_ms: duration, status, answer } = attempt;
  const t = useTranslations('webhooks.attemptList');
  const outcomes = useTranslations('webhooks.outcomes');
  const format = useFormats();
  const facts = [
    kind !== 'manual' ? t('scheduled') : by === null ? t('manualOwner') : t('manual', { name: by }),
    ...(status === null ? [] : [t('status', { status })]),
    ...(duration === null ? [] : [formatDuration(duration, format)]),
  ];
  return (
    <Stack gap={6}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {t('attempt', { number })}
        </Text>
        <Outcome attempt={attempt} />
      </Group>
      <Text size="sm">{outcomeOf(outcomes, attempt)}</Text>
      <Hint size="xs">
        <Time value={at} />, {facts.join(', ')}
      </Hint>
      {answer && (
        <Code block fz="xs" tabIndex={0} aria-label={t('response', { number })} style={{ whiteSpace: 'pre-wrap' }}>
          {answer}
        </Code>
      )}
    </Stack>
  );
}

function Outcome({ attempt: { duration_ms, error, interrupted } }: { attempt: Attempt }) {
  const t = useTranslations('webhooks.attemptList');
  if (interrupted) return <StateBadge tone="warning">{t('interrupted')}</StateBadge>;
  if (duration_ms === null) return <StateBadge tone="neutral">{t('inProgress')}</StateBadge>;
  return <StateBadge tone={error === null ? 'good' : 'bad'}>{t(error === null ? 'succeeded' : 'failed')}</StateBadge>;
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTranslations('webhooks.facts');
  const column = useTranslations('webhooks.deliveryTable');
  const { booking_reference: reference, request_id: requestId, version } = delivery;
  return (
    <Facts>
      <Fact name={column('status')}>
        <DeliveryStateBadge state={delivery.state} />
        {delivery.state === 'held' && <Hint mt={4}>{t('held', { days: HELD_DAYS })}</Hint>}
      </Fact>
      <Fact name={column('type')}>
        {version === null ? delivery.type : t('typeVersion', { type: delivery.type, version })}
        {delivery.forged && <Hint mt={4}>{t('forged')}</Hint>}
      </Fact>
      <Fact name={column('delivery')}>
        <Id value={delivery.id} what={t('deliveryId')} />
      </Fact>
      <Fact name={t('event')}>
        <Id value={delivery.event_id} what={t('eventId')} />
      </Fact>
      {reference && (
        <Fact name={column('booking')}>
          <Id value={reference} what={t('reference')} />{' '}
          <TextLink href={bookingHref(reference)}>{t('viewBooking')}</TextLink>
        </Fact>
      )}
      {reference && (
        <Fact name={t('source')}>
          {requestId ? <TextLink href={requestHref(requestId)}>{t('viewRequest')}</TextLink> : t('controlCenter')}
        </Fact>
      )}
      <Fact name={column('created')}>
        <Time value={delivery.created_at} />
      </Fact>
      <Fact name={t('scheduledAttempts')}>
        {column('scheduled', { count: delivery.scheduled_attempts, max: delivery.max_attempts })}
      </Fact>
      <Fact name={column('nextAttempt')}>
        <NextAttempt delivery={delivery} />
      </Fact>
    </Facts>
  );
}

function NextAttempt({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTranslations('webhooks.facts');
  const column = useTranslations('webhooks.deliveryTable');
  const { next_attempt_at: next } = delivery;
  if (delivery.under_way) return column('inProgress');
  if (delivery.state === 'held') return t('whenActive');
  if (delivery.manual_requested) return t('nowManual');
  return next ? <Time value={next} /> : t('noNext');
}

type ReplayOneProps = { applicationId: string; delivery: DeliveryDetail; active: boolean };

function ReplayOne({ applicationId, delivery, active }: ReplayOneProps) {
  const t = useTranslations('webhooks.replayOne');
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const replay = useMutation(
    trpc.webhooks.replay.mutationOptions({ onSuccess: () => void refresh(), onError: () => void refresh() }),
  );
  const reason = blockedReason(t, delivery, active);
  const input = { application_id: applicationId, delivery_id: delivery.id };
  if (reason) return <Hint role="status">{reason}</Hint>;
  return (
    <AskInPlace
      button={t('replay')}
      size="xs"
      title={t('title')}
      text={`${t('text')} ${delivery.state === 'succeeded' ? `${t('has')} ` : ''}${t(delivery.state === 'pending' ? 'retries' : 'noRetry')}`}
      verb={t('now')}
      cancel={t('cancel')}
      busy={replay.isPending}
      error={replay.error}
      onGo={(close) => replay.mutate(input, { onSuccess: close })}
    />
  );
}

function blockedReason(
  t: Translator<'webhooks.replayOne'>,
  { type, under_way, manual_requested }: DeliveryDetail,
  active: boolean,
): string | null {
  if (type === 'webhook.test') return t('test');
  if (!active) return t('onlyActive');
  if (under_way) return t('underWay');
  return manual_requested ? t('soon') : null;
}
