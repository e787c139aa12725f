'use client';

import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CopyValue } from '../../../_components/id';
import { Fact, Facts } from '../../../_components/tables/facts';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { useTRPC } from '../../../_components/trpc';
import type { BookingDetail } from '../../_components/types';

type Props = { booking: BookingDetail; canReveal: boolean };

/**
 * The customer's masked contact details, which owners and the front desk can reveal. Revealed details are never cached.
 */
export function Contact({ booking, canReveal }: Props) {
  const trpc = useTRPC();
  const reveal = useMutation(trpc.bookings.contact.mutationOptions({ gcTime: 0 }));
  const { customer } = booking;
  if (!customer) {
    return (
      <Text size="sm" c="dimmed">
        The contact details were removed as specified in the retention settings. The booking is kept.
      </Text>
    );
  }
  const shown = reveal.data?.customer;
  const { consent_withdrawn_at: withdrawnAt } = booking.local;
  const version = booking.consent_text_version && `text version ${booking.consent_text_version}`;
  const origin = [booking.consent_source, version].filter(Boolean).join(', ');
  return (
    <Stack gap="sm" align="flex-start">
      <Facts>
        <Fact name="Name">{shown ? <Copied value={shown.name} what="name" /> : customer.name_masked}</Fact>
        <Fact name="Phone">
          {shown ? (
            <Copied value={shown.phone} what="phone number" href={`tel:${shown.phone}`} />
          ) : (
            customer.phone_masked
          )}
        </Fact>
        {customer.email_masked && (
          <Fact name="Email">
            {shown?.email ? (
              <Copied value={shown.email} what="email address" href={`mailto:${shown.email}`} />
            ) : (
              customer.email_masked
            )}
          </Fact>
        )}
        {customer.locale && <Fact name="Language">{customer.locale}</Fact>}
        {customer.has_note && (
          <Fact name="Note">
            {shown?.note ? <span style={{ whiteSpace: 'pre-line' }}>{shown.note}</span> : <Hidden />}
          </Fact>
        )}
        {customer.has_metadata && (
          <Fact name="Partner’s metadata">{shown?.metadata ? <Pairs of={shown.metadata} /> : <Hidden />}</Fact>
        )}
        <Fact name="Consent to contact">
          <ZonedTime value={booking.local.consent_at} timeZone={booking.time_zone} />
          {origin && (
            <Text size="xs" c="dimmed">
              {origin}
            </Text>
          )}
        </Fact>
        {withdrawnAt && (
          <Fact name="Consent withdrawn">
            <ZonedTime value={withdrawnAt} timeZone={booking.time_zone} />
          </Fact>
        )}
      </Facts>
      {booking.maybe_real_phone && (
        <Alert color="yellow" title="This phone number may belong to a person">
          It is not in a range that is reserved for tests. Use invented customers in TEST.
        </Alert>
      )}
      {withdrawnAt && (
        <Text size="sm" c="dimmed">
          Use the contact only for this appointment. It is not found by phone number, partners no longer see it, and it
          is removed when the appointment has ended.
        </Text>
      )}
      {reveal.error && (
        <Alert color="red" role="alert">
          {reveal.error.message}
        </Alert>
      )}
      {canReveal && !shown && (
        <Reveal busy={reveal.isPending} onReveal={() => reveal.mutate({ reference: booking.reference })} />
      )}
      {shown && (
        <Button variant="default" size="xs" onClick={() => reveal.reset()}>
          Hide contact
        </Button>
      )}
      {canReveal && <Consent booking={booking} />}
      {!canReveal && (
        <Text size="xs" c="dimmed">
          Your role does not allow you to view contact details.
        </Text>
      )}
    </Stack>
  );
}

function Hidden() {
  return (
    <Text span c="dimmed">
      shown with the contact
    </Text>
  );
}

function Pairs({ of: pairs }: { of: Record<string, string> }) {
  return Object.entries(pairs).map(([name, value]) => (
    <div key={name} style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed" size="sm">
        {name}:
      </Text>{' '}
      {value}
    </div>
  ));
}

/** Records that the customer withdrew consent, or undoes this. */
function Consent({ booking }: { booking: BookingDetail }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.bookings.set_consent_withdrawn.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.bookings.get.queryFilter({ reference: booking.reference })),
    }),
  );
  const withdrawn = booking.consent_withdrawn_at !== null;
  return (
    <>
      {change.error && (
        <Alert color="red" role="alert">
          {change.error.message}
        </Alert>
      )}
      <Button
        variant="default"
        size="xs"
        loading={change.isPending}
        onClick={() => change.mutate({ reference: booking.reference, withdrawn: !withdrawn })}
      >
        {withdrawn ? 'Undo the withdrawal' : 'Customer withdrew consent'}
      </Button>
    </>
  );
}

function Reveal({ busy, onReveal }: { busy: boolean; onReveal: () => void }) {
  return (
    <Group gap="sm">
      <Button variant="default" size="xs" loading={busy} onClick={onReveal}>
        Show contact
      </Button>
      <Text size="xs" c="dimmed">
        Each view is recorded in the audit log.
      </Text>
    </Group>
  );
}

function Copied({ value, what, href }: { value: string; what: string; href?: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {href ? (
        <Anchor href={href} size="sm">
          {value}
        </Anchor>
      ) : (
        <span>{value}</span>
      )}
      <CopyValue value={value} label={`Copy ${what}`} />
    </Group>
  );
}
