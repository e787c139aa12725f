'use client';

import { Stack, Text, Title } from '@mantine/core';
import { plural } from '../../../_components/format';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import type { DayPreview } from '../../_components/types';
import { reasonText } from './reasons';

type Group = DayPreview['refused'][number];

/** The starts of a day that cannot be booked, each with its reason and that of every specialist. */
export function RefusedStarts({ preview: { refused, specialists } }: { preview: DayPreview }) {
  if (refused.length === 0) return null;
  const names = new Map(specialists.map(({ id, name }) => [id, name]));
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Starts without a slot
      </Title>
      <DataTable caption="Starts without a slot, and why" label="Starts without a slot" minWidth={640}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={['Starts', 'Why', 'Specialists']} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {refused.map((group) => (
            <Table.Tr key={group.from}>
              <Table.Td data-label="Starts">
                {group.count === 1 ? group.from : `${group.from}–${group.to}`}
                {group.count > 1 && (
                  <Text size="xs" c="dimmed">
                    {plural(group.count, 'start')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td data-label="Why" data-wide>
                {reasonText(group.reason)}
              </Table.Td>
              <Table.Td data-label="Specialists" data-wide>
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
  const { specialists, reason, more_specialists: more } = group;
  if (specialists.length === 0) return '–';
  if (specialists.every((one) => one.reason === reason))
    return specialists.length + more === 1 ? 'The only one' : 'All';
  return (
    <>
      {specialists.map((one) => (
        <Text key={one.id} size="xs">
          {names.get(one.id) ?? one.id}: {one.reason === null ? 'free' : reasonText(one.reason)}
        </Text>
      ))}
      {more > 0 && <Text size="xs">and {plural(more, 'other specialist')}</Text>}
    </>
  );
}
