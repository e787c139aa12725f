'use client';

import { Anchor, Grid, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/link';
import { Id } from '../../../_components/id';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { formatDate } from '../../_components/format';
import { StatusBadge } from '../../_components/status-badge';
import type { BookingDetail } from '../../_components/types';
import { BookingActions } from './booking-actions';
import { BookingFacts } from './booking-facts';
import { Contact } from './contact';
import { OutsideAlert } from './outside-alert';
import { OverlapAlert } from './overlap-alert';
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
