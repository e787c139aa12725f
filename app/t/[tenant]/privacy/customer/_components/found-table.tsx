'use client';

import { Anchor, Badge, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { Column, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { dateText, timeText } from '../../../bookings/_components/format';
import { StatusBadge } from '../../../bookings/_components/status-badge';
import type { FoundBooking } from './types';

type Props = {
  bookings: readonly FoundBooking[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
};

/** The bookings that were found. The user chooses those that belong to the person. */
export function FoundTable({ bookings, chosen, onChoose }: Props) {
  const t = useTranslations('privacy.foundTable');
  const all = chosen.size === bookings.length;
  const toggle = (reference: string) => {
    const next = new Set(chosen);
    if (!next.delete(reference)) next.add(reference);
    onChoose(next);
  };
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('all', { count: bookings.length })}
        checked={all}
        indeterminate={!all && chosen.size > 0}
        onChange={() => onChoose(new Set(all ? [] : bookings.map(({ reference }) => reference)))}
      />
      <DataTable caption={t('caption')} minWidth={820} dense>
        <Table.Thead>
          <Table.Tr>
            <Column label={t('choose')} hidden />
            <Column label={t('customer')} />
            <Column label={t('appointment')} />
            <Column label={t('maker')} />
            <Column label={t('optional')} />
            <Column label={t('status')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bookings.map((booking) => (
            <Row
              key={booking.reference}
              booking={booking}
              checked={chosen.has(booking.reference)}
              onToggle={() => toggle(booking.reference)}
            />
          ))}
        </Table.Tbody>
      </DataTable>
    </Stack>
  );
}

function Row({ booking, checked, onToggle }: { booking: FoundBooking; checked: boolean; onToggle: () => void }) {
  const t = useTranslations('privacy.foundTable');
  const format = useFormats();
  const { reference, name, phone_masked, date, start_time, service, location, application } = booking;
  const when = t('when', { date: dateText(format, date), time: timeText(format, start_time) });
  const kinds = [...booking.optional, ...(booking.consent_withdrawn ? (['consentWithdrawn'] as const) : [])];
  return (
    <Table.Tr>
      <Table.Td data-wide="all">
        <Checkbox aria-label={t('chooseOne', { when, service: service.name })} checked={checked} onChange={onToggle} />
      </Table.Td>
      <Table.Td data-label={t('customer')} data-wide>
        {name || t('unreadable')}
        <Text size="xs" c="dimmed">
          {phone_masked}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('appointment')} data-wide>
        <Anchor component={Link} href={`/bookings/${reference}`} fz={13} fw={600}>
          {when}
        </Anchor>
        <Text size="xs" c="dimmed">
          {service.name} · {location.name}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('maker')}>{application?.name ?? t('business')}</Table.Td>
      <Table.Td data-label={t('optional')}>{kinds.map((kind) => t(`kinds.${kind}`)).join(', ') || '–'}</Table.Td>
      <Table.Td data-label={t('status')}>
        <Group gap={6}>
          <StatusBadge status={booking.status} />
          {booking.upcoming && (
            <Badge variant="light" color="yellow" tt="none">
              {t('upcoming')}
            </Badge>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
