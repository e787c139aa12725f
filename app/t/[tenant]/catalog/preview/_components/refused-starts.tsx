'use client';

import { Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { timesText, timeText } from '../../../bookings/_components/format';
import type { DayPreview } from '../../_components/types';
import { reasonText } from './reasons';

type Group = DayPreview['refused'][number];

/** The starts of a day that cannot be booked, each with its reason and that of every specialist. */
export function RefusedStarts({ preview: { refused, specialists } }: { preview: DayPreview }) {
  const t = useTranslations('catalog.refused');
  const tReasons = useTranslations('catalog.reasons');
  const format = useFormats();
  if (refused.length === 0) return null;
  const names = new Map(specialists.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('title')}
      </Title>
      <DataTable caption={t('caption')} label={t('title')} minWidth={640} dense>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={[t('starts'), t('why'), t('specialists')]} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {refused.map((group) => (
            <Table.Tr key={group.from}>
              <Table.Td data-label={t('starts')}>
                {group.count === 1
                  ? timeText(format, group.from)
                  : timesText(format, { start_time: group.from, end_time: group.to })}
                {group.count > 1 && (
                  <Text size="xs" c="dimmed">
                    {t('count', { count: group.count })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td data-label={t('why')} data-wide>
                {reasonText(tReasons, group.reason)}
              </Table.Td>
              <Table.Td data-label={t('specialists')} data-wide>
                <OwnReasons group={group} names={names} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
    </Stack>
  );
}

/** If all specialists have the reason of the start, it is not repeated. */
function OwnReasons({ group, names }: { group: Group; names: ReadonlyMap<string, string> }) {
  const t = useTranslations('catalog.refused');
  const tReasons = useTranslations('catalog.reasons');
  const { specialists, reason, more_specialists: more } = group;
  if (specialists.length === 0) return '–';
  if (specialists.every((one) => one.reason === reason)) return t(specialists.length + more === 1 ? 'only' : 'all');
  return (
    <>
      {specialists.map((one) => (
        <Text key={one.id} size="xs">
          {t('own', {
            name: names.get(one.id) ?? one.id,
            reason: one.reason === null ? t('free') : reasonText(tReasons, one.reason),
          })}
        </Text>
      ))}
      {more > 0 && <Text size="xs">{t('more', { count: more })}</Text>}
    </>
  );
}
