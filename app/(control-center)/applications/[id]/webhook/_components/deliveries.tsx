'use client';

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { DeliveryRow, Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { Pager } from '../../../../_components/pager';
import { EmptyState, ErrorState, LoadingRows } from '../../../../_components/states';
import { useTRPC } from '../../../../_components/trpc';
import { useLiveRows } from '../../../../_components/use-live-rows';
import { useUrlState } from '../../../../_components/use-url-state';
import { DeliveryDrawer } from './delivery-drawer';
import { DeliveryFilters } from './delivery-filters';
import { DeliveryTable } from './delivery-table';
import { changeQuery, type DeliveriesQuery, isFiltered, listInput, NO_FILTERS, PARSERS } from './query';
import { HELD_DAYS } from './words';

/** Milliseconds between looks at the list. */
const LOOK_EVERY = 3_000;

/** One and the same while there is nothing. */
const NO_ROWS: DeliveryRow[] = [];

const FIRST_PAGE = { cursor: null };

const idOf = ({ id }: DeliveryRow) => id;

type Props = { applicationId: string; endpoint: Endpoint; canEdit: boolean };
type Go = (patch: Partial<DeliveriesQuery>) => void;
type State = { query: DeliveriesQuery; href: (patch: Partial<DeliveriesQuery>) => string; go: Go };

/** What was delivered, what waits, what failed; and one of them in the drawer. */
export function Deliveries({ applicationId, endpoint, canEdit }: Props) {
  const state = useUrlState(PARSERS, { change: changeQuery });
  const { query, go } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Stack component="section" gap="sm">
      <Title ref={heading} id="deliveries" order={2} size="h4" tabIndex={-1}>
        Deliveries
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

function HeldNotice({ count }: { count: number }) {
  return (
    <Alert color="yellow" icon={<IconArchive aria-hidden />}>
      {plural(count, 'delivery is', 'deliveries are')} held: nothing is lost. Each keeps its attempts, is kept for at
      least {HELD_DAYS} days from when it was made, and is due at once when the endpoint is active again, the oldest
      first.
    </Alert>
  );
}

function Results({ applicationId, query, href, go }: State & { applicationId: string }) {
  const trpc = useTRPC();
  const frame = useRef<HTMLDivElement>(null);
  const input = listInput(applicationId, query);
  const list = useQuery({
    ...trpc.webhooks.deliveries.queryOptions(input, { placeholderData: keepPreviousData }),
    refetchInterval: LOOK_EVERY,
  });
  // Rows of the page before are no older rows of this one.
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
          {list.isRefetchError ? 'Not up to date. Trying again …' : 'Newest first.'}
        </Text>
        {live.waiting > 0 && (
          <Button size="compact-sm" variant="default" onClick={live.show}>
            Show {plural(live.waiting, 'newer delivery', 'newer deliveries')}
          </Button>
        )}
      </Group>
      <div {...live.areaProps}>
        <DeliveryTable rows={live.rows} busy={list.isPlaceholderData} frame={frame} href={href} go={go} />
      </div>
      <Pager
        previous={query.cursor === null ? null : FIRST_PAGE}
        next={list.data.next === null ? null : { cursor: list.data.next }}
        labels={['Newest', 'Older']}
        href={href}
        go={turnPage}
      />
    </div>
  );
}

function NoDeliveries({ query, go }: { query: DeliveriesQuery; go: Go }) {
  if (isFiltered(query) || query.cursor !== null) {
    return (
      <EmptyState
        title="No delivery fits"
        action={
          <Button variant="default" mt="xs" onClick={() => go(NO_FILTERS)}>
            Clear filters
          </Button>
        }
      >
        None of this endpoint fits all of the filters. A reference is compared as a whole.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliveries yet">
      What happens to this application’s bookings from now on appears here. A test event shows at once whether the
      receiver answers.
    </EmptyState>
  );
}
