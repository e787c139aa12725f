'use client';

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { DeliveryRow, Endpoint } from '../../../../_components/api-types';
import { FilterFields, TextFilter } from '../../../../_components/filters/filter-fields';
import { EmptyState, ErrorState, LoadingRows } from '../../../../_components/states';
import { Pager } from '../../../../_components/tables/pager';
import { useLiveRows } from '../../../../_components/tables/use-live-rows';
import { useTRPC } from '../../../../_components/trpc';
import { useUrlState } from '../../../../_components/use-url-state';
import { DeliveryTable } from './delivery-table';
import { changeQuery, type DeliveriesQuery, FILTER, listInput, PARSERS } from './query';
import { EVENT_TYPES, HELD_DAYS, STATES } from './words';

const DeliveryDrawer = dynamic(() => import('./delivery-drawer').then((module) => module.DeliveryDrawer), {
  ssr: false,
});

/** Milliseconds between polls of the list. */
const POLL_INTERVAL = 3_000;

/**
 * An empty list that is the same object in every render. A new array would make effects run again after each render.
 */
const NO_ROWS: DeliveryRow[] = [];

const FIRST_PAGE = { cursor: null };

const idOf = ({ id }: DeliveryRow) => id;

type Props = { applicationId: string; endpoint: Endpoint; canEdit: boolean };
type Go = (patch: Partial<DeliveriesQuery>) => void;
type State = { query: DeliveriesQuery; href: (patch: Partial<DeliveriesQuery>) => string; go: Go };

/** An endpoint's deliveries. A drawer shows the selected delivery. */
export function Deliveries({ applicationId, endpoint, canEdit }: Props) {
  const t = useTranslations('webhooks.deliveries');
  const state = useUrlState(PARSERS, { change: changeQuery });
  const { query, go } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Stack component="section" gap="sm">
      <Title ref={heading} id="deliveries" order={2} size="h4" tabIndex={-1}>
        {t('title')}
      </Title>
      {endpoint.state !== 'active' && endpoint.pending > 0 && <HeldNotice count={endpoint.pending} />}
      <DeliveryFilters query={query} go={go} />
      <Results applicationId={applicationId} {...state} />
      <DeliveryDrawer
        applicationId={applicationId}
        deliveryId={query.delivery}
        active={endpoint.state === 'active'}
        canEdit={canEdit}
        fallback={heading}
        onClose={() => go({ delivery: null })}
      />
    </Stack>
  );
}

const TYPE_OPTIONS = [...EVENT_TYPES, 'webhook.test'].map((type) => ({ value: type, label: type }));

function DeliveryFilters({ query, go }: { query: DeliveriesQuery; go: Go }) {
  const t = useTranslations('webhooks.filters');
  const words = useTranslations('words.deliveryState');
  const states = STATES.map((state) => ({ value: state, label: words(state) }));
  return (
    <FilterFields
      query={query}
      go={go}
      selects={{
        state: { label: t('status'), any: t('anyStatus'), options: states },
        type: { label: t('type'), any: t('anyType'), options: TYPE_OPTIONS },
      }}
      none={FILTER.none}
      cols={{ base: 2, md: 4 }}
    >
      <TextFilter
        label={t('reference')}
        placeholder="pbr_… evt_… dlv_…"
        maxLength={64}
        value={query.reference}
        onChange={(reference) => go({ reference })}
      />
    </FilterFields>
  );
}

function HeldNotice({ count }: { count: number }) {
  const t = useTranslations('webhooks.deliveries');
  return (
    <Alert color="yellow" icon={<IconArchive aria-hidden />}>
      {t('held', { count, days: HELD_DAYS })}
    </Alert>
  );
}

function Results({ applicationId, query, href, go }: State & { applicationId: string }) {
  const t = useTranslations('webhooks.deliveries');
  const trpc = useTRPC();
  const frame = useRef<HTMLDivElement>(null);
  const input = listInput(applicationId, query);
  const list = useQuery({
    ...trpc.webhooks.deliveries.queryOptions(input, { placeholderData: keepPreviousData }),
    refetchInterval: POLL_INTERVAL,
  });
  // While a page loads, `list.data` still contains the rows of the previous page, and `isPlaceholderData` is true. The
  // string contains `isPlaceholderData`, so that `useLiveRows` shows the new rows as soon as they arrive.
  const of = JSON.stringify([input, list.isPlaceholderData]);
  const live = useLiveRows(list.data?.deliveries ?? NO_ROWS, { of, live: true, idOf });
  if (list.isError && !list.data) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={6} height={44} />;
  if (live.rows.length === 0) return <NoDeliveries query={query} go={go} />;
  const turnPage = (patch: Partial<DeliveriesQuery>) => {
    go(patch);
    frame.current?.focus();
  };
  return (
    <div>
      <Group justify="space-between" mih={30} role="status">
        <Text size="xs" c="dimmed">
          {list.isRefetchError ? t('retrying') : t('newestFirst')}
        </Text>
        {live.waiting > 0 && (
          <Button size="compact-sm" variant="default" onClick={live.show}>
            {t('showNewer', { count: live.waiting })}
          </Button>
        )}
      </Group>
      <div {...live.areaProps}>
        <DeliveryTable rows={live.rows} busy={list.isPlaceholderData} frame={frame} href={href} go={go} />
      </div>
      <Pager
        previous={query.cursor === null ? null : FIRST_PAGE}
        next={list.data.next === null ? null : { cursor: list.data.next }}
        labels={[t('newest'), t('older')]}
        href={href}
        go={turnPage}
      />
    </div>
  );
}

function NoDeliveries({ query, go }: { query: DeliveriesQuery; go: Go }) {
  const t = useTranslations('webhooks.deliveries');
  if (FILTER.isSet(query) || query.cursor !== null) {
    return (
      <EmptyState
        title={t('noMatch')}
        action={
          <Button variant="default" mt="xs" onClick={() => go(FILTER.none)}>
            {t('clear')}
          </Button>
        }
      >
        {t('noMatchText')}
      </EmptyState>
    );
  }
  return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>;
}
