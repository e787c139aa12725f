'use client';

import { Alert, Anchor, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@/app/_components/link';
import type { PolicyPreview } from '../../../_components/api-types';
import { formatCount, plural } from '../../../_components/format';
import { ErrorState } from '../../../_components/states';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { requestHref } from '../../../requests/_components/query';

type Refused = PolicyPreview['refusals'][number];

type Props = {
  preview: { data: PolicyPreview | undefined; error: Parameters<typeof ErrorState>[0]['error'] };
  retry: () => void;
};

/** Returns whether a new policy would have refused requests that the current policy allowed. */
export function refusesAny({ refused, quota }: PolicyPreview): boolean {
  return refused > 0 || quota !== null;
}

/** The effect of a new policy: which requests from the last 24 hours the policy would have refused, and why. */
export function LockOut({ preview: { data, error }, retry }: Props) {
  if (error) return <ErrorState error={error} retry={retry} />;
  if (!data) {
    return (
      <Stack gap={6} role="status" aria-label="Checking the requests from the last 24 hours">
        <Skeleton height={72} />
      </Stack>
    );
  }
  if (refusesAny(data)) return <Warning preview={data} />;
  return data.unknown > 0 ? <Unsure preview={data} /> : <Harmless preview={data} />;
}

/** Returns the words that follow "would not have refused" in a sentence, such as `any of the 5 requests`. */
function anyOf(count: number, other: 'other ' | ''): string {
  return count === 1 ? `the one ${other}request` : `any of the ${other}${plural(count, 'request')}`;
}

type Judged = { preview: PolicyPreview };

function Harmless({ preview: { seen } }: Judged) {
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
      {seen === 0
        ? 'There were no allowed requests in the last 24 hours, so there is nothing to check.'
        : `This change would not have refused ${anyOf(seen, '')} allowed in the last 24 hours.`}
    </Alert>
  );
}

/** Appears if the policy would have refused none of the checked requests, but some requests could not be checked. */
function Unsure({ preview: { seen, unknown } }: Judged) {
  return (
    <Alert color="yellow" icon={<IconHelpCircle aria-hidden />} role="status">
      <Unknown unknown={unknown} />
      {seen > unknown && ` This change would not have refused ${anyOf(seen - unknown, 'other ')}.`}
    </Alert>
  );
}

function Unknown({ unknown }: { unknown: number }) {
  return (
    <>
      {plural(unknown, 'request')} from the last 24 hours cannot be checked against the new locations, because the
      request log does not show which location each request was for.
    </>
  );
}

function Warning({ preview }: Judged) {
  const { refused, checked, seen, unknown, refusals, quota } = preview;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={
        refused > 0
          ? `This change would have refused ${formatCount(refused)} of ${plural(checked, 'request')} allowed in the last 24 hours`
          : 'This rate limit is below the peak of the last 24 hours'
      }
    >
      <Stack gap="sm">
        {refusals.map((one) => (
          <Reason key={one.reason} refused={one} />
        ))}
        {quota && <Quota quota={quota} />}
        {unknown > 0 && (
          <Text size="xs">
            <Unknown unknown={unknown} />
          </Text>
        )}
        {checked < seen && (
          <Text size="xs">
            Only {formatCount(checked)} of {formatCount(seen)} requests were checked. Requests with a rare combination
            of address, origin, route, and location were not checked.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

const REASONS: Record<Refused['reason'], { text: string; missing: string }> = {
  ip: { text: 'came from an address outside the allowed networks', missing: 'Unknown address' },
  origin: { text: 'had no Origin header, or had an origin that is not allowed', missing: 'No Origin header' },
  insufficient_scope: { text: 'used a route whose scope you removed', missing: 'Unknown route' },
  location: { text: 'needed a location that you removed', missing: 'Unknown location' },
};

function Reason({ refused: { reason, count, groups, more } }: { refused: Refused }) {
  const trpc = useTRPC();
  const locations = useQuery({ ...trpc.locations.list.queryOptions(), enabled: reason === 'location' });
  const nameOf = (what: string | null) => {
    if (what === null) return REASONS[reason].missing;
    return reason === 'location' ? (locations.data?.find(({ id }) => id === what)?.name ?? what) : what;
  };
  return (
    <div>
      <Text size="sm" fw={600}>
        {plural(count, 'request')} {REASONS[reason].text}
      </Text>
      <List size="sm" spacing={2}>
        {groups.map(({ what, count: times, request_id: id }) => (
          <List.Item key={what ?? ''} style={{ overflowWrap: 'anywhere' }}>
            {nameOf(what)}: {plural(times, 'request')}, for example <Example id={id} />
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {plural(more, 'more', 'more')}</List.Item>}
      </List>
    </div>
  );
}

function Quota({ quota }: { quota: NonNullable<PolicyPreview['quota']> }) {
  return (
    <Text size="sm">
      With the new rate limit, {plural(quota.minutes, 'minute')} of the last 24 hours would have exceeded the limit, and
      about {plural(quota.excess, 'request')} would have received a 429 response. The busiest minute (
      <Time value={quota.peak_at} options={SHORT_TIME} />) had {plural(quota.peak, 'request')}, including{' '}
      <Example id={quota.request_id} />.
    </Text>
  );
}

function Example({ id }: { id: string }) {
  return (
    <Anchor component={Link} href={requestHref(id)} target="_blank" inherit c="inherit" td="underline">
      {id}
    </Anchor>
  );
}
