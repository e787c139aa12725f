'use client';

import { Alert, Anchor, Button, Grid, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { IconCalendarDue } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { Link } from '@/app/_components/link';
import { Id } from '../../../_components/id';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { ActionDialog } from '../../_components/action-dialog';
import { actionName, formatDate } from '../../_components/format';
import { RescheduleDialog } from '../../_components/reschedule-dialog';
import { StatusBadge } from '../../_components/status-badge';
import type { BookingDetail, OwnerAction } from '../../_components/types';
import { BookingFacts } from './booking-facts';
import { Contact } from './contact';
import { OutsideAlert } from './outside-alert';
import { Timeline } from './timeline';

type Props = {
  reference: string;
  /** Whether the member may change the booking and view the contact. */
  canEdit: boolean;
  /** Whether the member may view applications and requests. */
  viewsPartners: boolean;
};

/** Shows one booking with its history. */
export function BookingView({ reference, canEdit, viewsPartners }: Props) {
  const trpc = useTRPC();
  const booking = useQuery(trpc.bookings.get.queryOptions({ reference }));
  const data = booking.data;
  return (
    <>
      <PageHeader
        title={data ? titleOf(data) : 'Booking'}
        tab={data?.external_reference ?? reference}
        lead={
          <Group gap="sm">
            <Id value={reference} what="booking reference" />
            {data && <StatusBadge status={data.status} />}
          </Group>
        }
        trail={[{ href: '/bookings', label: 'Bookings' }]}
        actions={data && canEdit && <BookingActions booking={data} />}
      />
      {data && <OverlapAlert booking={data} canEdit={canEdit} />}
      {data && <OutsideAlert booking={data} canEdit={canEdit} />}
      {data ? (
        <Booking booking={data} canEdit={canEdit} viewsPartners={viewsPartners} />
      ) : booking.isPending ? (
        <Loading />
      ) : booking.error?.data?.code === 'not_found' ? (
        <NotFound />
      ) : (
        <ErrorState error={booking.error} retry={() => void booking.refetch()} />
      )}
    </>
  );
}

function titleOf({ date, start_time, service }: BookingDetail): string {
  return `${service.name}, ${formatDate(date)}, ${start_time}`;
}

type BookingProps = Omit<Props, 'reference'> & { booking: BookingDetail };

function Booking({ booking, canEdit, viewsPartners }: BookingProps) {
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack gap="md">
          <Section title="Booking">
            <BookingFacts booking={booking} viewsPartners={viewsPartners} />
          </Section>
          <Section title="Customer">
            <Contact booking={booking} canReveal={canEdit} />
          </Section>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Section title="History">
          <Timeline booking={booking} viewsPartners={viewsPartners} />
        </Section>
      </Grid.Col>
    </Grid>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function NotFound() {
  const action = (
    <Anchor component={Link} href="/bookings">
      All bookings
    </Anchor>
  );
  return (
    <EmptyState title="No booking with this reference" action={action}>
      TEST and LIVE have separate bookings. Check whether this booking belongs to the other environment.
    </EmptyState>
  );
}

function Loading() {
  return (
    <Stack gap="md" role="status" aria-label="Loading" aria-busy="true">
      <Skeleton height={320} radius="md" />
      <Skeleton height={160} radius="md" />
    </Stack>
  );
}

/** Buttons for the changes that the booking allows now. */
function BookingActions({ booking }: { booking: BookingDetail }) {
  // The chosen action is kept while the dialog fades out so that the dialog's text does not change.
  const [chosen, setChosen] = useState<OwnerAction>('cancel');
  const [opened, setOpened] = useState(false);
  const open = (action: OwnerAction) => {
    setChosen(action);
    setOpened(true);
  };
  const [moving, setMoving] = useState(false);
  return (
    <>
      {booking.movable && (
        <Button variant="default" onClick={() => setMoving(true)}>
          Reschedule
        </Button>
      )}
      {booking.actions.map((action) => (
        <Button
          key={action}
          variant={action === 'complete' ? 'filled' : 'default'}
          c={action === 'cancel' ? 'var(--mantine-color-error)' : undefined}
          onClick={() => open(action)}
        >
          {actionName(action, booking.status)}
        </Button>
      ))}
      <RescheduleDialog booking={booking} opened={moving} onClose={() => setMoving(false)} />
      <ActionDialog booking={booking} action={chosen} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

type OverlapAlertProps = { booking: BookingDetail; canEdit: boolean };

/** Names the bookings of the same specialist that overlap the booking since a change of time zone rules. */
function OverlapAlert({ booking: { overlaps, specialist }, canEdit }: OverlapAlertProps) {
  if (overlaps.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconCalendarDue aria-hidden />}
      title={`${specialist.name} has another appointment at this time`}
      role="status"
      mb="md"
    >
      The rules of a time zone changed. This booking now overlaps{' '}
      {overlaps.map(({ reference, service, date, start_time }, index) => (
        <Fragment key={reference}>
          {index > 0 && ', '}
          <Anchor component={Link} href={`/bookings/${reference}`} inherit c="inherit" underline="always">
            {service}, {formatDate(date)}, {start_time}
          </Anchor>
        </Fragment>
      ))}
      . Both remain confirmed.{' '}
      {canEdit
        ? 'Reschedule or cancel one of them.'
        : 'An owner or the front desk can reschedule or cancel one of them.'}
    </Alert>
  );
}
