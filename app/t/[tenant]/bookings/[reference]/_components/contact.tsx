'use client';

import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fact, Facts } from '../../../_components/facts';
import { CopyValue } from '../../../_components/id';
import { useTRPC } from '../../../_components/trpc';
import { ZonedTime } from '../../../_components/zoned-time';
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
        <Fact name="Consent to contact">
          <ZonedTime value={booking.consent_at} timeZone={booking.time_zone} />
        </Fact>
      </Facts>
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
      {!canReveal && (
        <Text size="xs" c="dimmed">
          Your role does not allow you to view contact details.
        </Text>
      )}
    </Stack>
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
