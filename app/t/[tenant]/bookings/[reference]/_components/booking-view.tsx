'use client';

import { Alert, Anchor, Button, Grid, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { IconCalendarDue } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { Id } from '../../../_components/id';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { ActionDialog } from '../../_components/action-dialog';
import { actionName, dateText, timeText } from '../../_components/format';
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
  const t = useTranslations('bookings');
  const format = useFormats();
  const trpc = useTRPC();
  const booking = useQuery(trpc.bookings.get.queryOptions({ reference }));
  const data = booking.data;
  return (
    <>
      <PageHeader
        title={
          data
            ? t('booking.named', {
                service: data.service.name,
                date: dateText(format, data.date),
                time: timeText(format, data.start_time),
              })
            : t('booking.title')
        }
        tab={data?.external_reference ?? reference}
        lead={
          <Group gap="sm">
            <Id value={reference} what={t('booking.reference')} />
            {data && <StatusBadge status={data.status} />}
          </Group>
        }
        trail={[{ href: '/bookings', label: t('list.title') }]}
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

type BookingProps = Omit<Props, 'reference'> & { booking: BookingDetail };

function Booking({ booking, canEdit, viewsPartners }: BookingProps) {
  const t = useTranslations('bookings.booking');
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack gap="md">
          <Section title={t('title')}>
            <BookingFacts booking={booking} viewsPartners={viewsPartners} />
          </Section>
          <Section title={t('customer')}>
            <Contact booking={booking} canReveal={canEdit} />
          </Section>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Section title={t('history')}>
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
  const t = useTranslations('bookings.booking');
  const action = (
    <Anchor component={Link} href="/bookings">
      {t('all')}
    </Anchor>
  );
  return (
    <EmptyState title={t('notFound')} action={action}>
      {t('notFoundHint')}
    </EmptyState>
  );
}

function Loading() {
  const t = useTranslations('bookings.booking');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')} aria-busy="true">
      <Skeleton height={320} radius="md" />
      <Skeleton height={160} radius="md" />
    </Stack>
  );
}

/** Buttons for the changes that the booking allows now. */
function BookingActions({ booking }: { booking: BookingDetail }) {
  const t = useTranslations('bookings.booking');
  const words = useTranslations('words');
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
          {t('reschedule')}
        </Button>
      )}
      {booking.actions.map((action) => (
        <Button
          key={action}
          variant={action === 'complete' ? 'filled' : 'default'}
          c={action === 'cancel' ? 'var(--mantine-color-error)' : undefined}
          onClick={() => open(action)}
        >
          {actionName(words, action, booking.status)}
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
  const t = useTranslations('bookings.booking');
  const format = useFormats();
  if (overlaps.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconCalendarDue aria-hidden />}
      title={t('overlap.title', { specialist: specialist.name })}
      role="status"
      mb="md"
    >
      {t.rich('overlap.text', {
        bookings: () =>
          overlaps.map(({ reference, service, date, start_time }, index) => (
            <Fragment key={reference}>
              {index > 0 && ', '}
              <Anchor component={Link} href={`/bookings/${reference}`} inherit c="inherit" underline="always">
                {service}, {dateText(format, date)}, {timeText(format, start_time)}
              </Anchor>
            </Fragment>
          )),
      })}{' '}
      {t(canEdit ? 'overlap.canEdit' : 'overlap.others')}
    </Alert>
  );
}
