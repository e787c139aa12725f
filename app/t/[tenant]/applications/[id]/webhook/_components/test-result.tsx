'use client';

import { Alert, Anchor, Loader } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import type { Attempt, DeliveryDetail } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { useUrlState } from '../../../../_components/use-url-state';
import { formatDuration } from '../../../../requests/_components/format';
import { changeQuery, deliveryHref, PARSERS } from './query';
import { useRefresh } from './use-refresh';
import { outcomeOf } from './words';

/** Milliseconds between polls of the test event's delivery. */
const POLL_INTERVAL = 500;

type Props = { applicationId: string; deliveryId: string };

/** Shows the result of a test event. Polls its delivery until the delivery has ended. */
export function TestResult({ applicationId, deliveryId }: Props) {
  const t = useTranslations('webhooks.testResult');
  const outcomes = useTranslations('webhooks.outcomes');
  const format = useFormats();
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { go } = useUrlState(PARSERS, { change: changeQuery });
  const input = { application_id: applicationId, delivery_id: deliveryId };
  const delivery = useQuery({
    ...trpc.webhooks.delivery.queryOptions(input),
    refetchInterval: ({ state: { data } }) => (isOver(data) ? false : POLL_INTERVAL),
  });
  const over = isOver(delivery.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: refresh only once, when the delivery ends.
  useEffect(() => {
    if (over) void refresh();
  }, [over]);
  const attempt = delivery.data?.log[0];
  const succeeded = delivery.data?.state === 'succeeded';
  const result = (tried: Attempt) =>
    withResponse(t, format, succeeded ? t('delivered') : t('failed', { outcome: outcomeOf(outcomes, tried) }), tried);
  const text = !over ? t('sending') : attempt ? result(attempt) : t('notSent');
  const Icon = succeeded ? IconCircleCheck : IconAlertTriangle;
  return (
    <Alert
      role="status"
      color={!over ? 'gray' : succeeded ? 'green' : 'red'}
      icon={over ? <Icon aria-hidden /> : <Loader size={16} aria-hidden />}
    >
      {text}{' '}
      {over && (
        <Anchor
          href={deliveryHref(applicationId, deliveryId)}
          inherit
          fw={600}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            go({ delivery: deliveryId });
          }}
        >
          {t('view')}
        </Anchor>
      )}
    </Alert>
  );
}

function isOver(delivery: DeliveryDetail | undefined): boolean {
  return delivery !== undefined && (delivery.state === 'succeeded' || delivery.state === 'failed');
}

/** Adds the status and the duration of a response, if there was one. */
function withResponse(t: Translator<'webhooks.testResult'>, format: Formats, text: string, attempt: Attempt): string {
  const { status, duration_ms } = attempt;
  if (status === null || duration_ms === null) return text;
  return t('response', { text, status, duration: formatDuration(duration_ms, format) });
}
