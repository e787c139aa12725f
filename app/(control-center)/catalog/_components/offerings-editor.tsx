'use client';

import { Alert, Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Columns, DataTable } from '../../_components/data-table';
import { plural } from '../../_components/format';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { Section } from '../../applications/_components/policy-fields';
import { AffectedDialog, NOTHING_SEEN, useAffected } from './affected-dialog';
import type { SectionProps } from './kind';
import type { Choices } from './types';

type Pair = { specialist_id: string; location_id: string };

const keyOf = ({ specialist_id, location_id }: Pair) => `${specialist_id} ${location_id}`;

function pairOf(key: string): Pair {
  const [specialist_id = '', location_id = ''] = key.split(' ');
  return { specialist_id, location_id };
}

/** The offerings of a service: a checkbox for each specialist at each location. */
export function OfferingsEditor({ id: serviceId, canEdit, choices }: SectionProps) {
  const trpc = useTRPC();
  const list = useQuery(trpc.catalog.offerings.list.queryOptions({ service_id: serviceId }));
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={3} />;
  return (
    <Section
      title="Offerings"
      lead="The specialists who offer this service at each location. Set working hours on each specialist’s page."
    >
      <Offerings serviceId={serviceId} canEdit={canEdit} choices={choices} stored={list.data.map(keyOf)} />
    </Section>
  );
}

type Props = { serviceId: string; canEdit: boolean; choices: Choices; stored: string[] };

function Offerings({ serviceId, canEdit, choices, stored }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [flipped, setFlipped] = useState<readonly string[]>([]);
  const affected = useAffected();
  const change = useMutation(
    trpc.catalog.offerings.change.mutationOptions({
      onSuccess: async (result) => {
        if ('affected' in result) return affected.show(result.affected);
        affected.close();
        await queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
        setFlipped([]);
        notifications.show({ message: `Offerings saved for ${plural(result.changed, 'specialist')}.` });
      },
      onError: affected.close,
    }),
  );
  const save = (confirmed: string) =>
    change.mutate({
      confirmed,
      service_id: serviceId,
      add: flipped.filter((key) => !stored.includes(key)).map(pairOf),
      remove: flipped.filter((key) => stored.includes(key)).map(pairOf),
    });
  if (choices.specialists.length === 0 || choices.locations.length === 0)
    return <Text size="sm">Create a location and a specialist first.</Text>;
  return (
    <Stack gap="sm">
      <Matrix
        choices={choices}
        disabled={!canEdit}
        isOn={(key) => stored.includes(key) !== flipped.includes(key)}
        onFlip={(key) => setFlipped(flipped.includes(key) ? flipped.filter((one) => one !== key) : [...flipped, key])}
      />
      {change.error && (
        <Alert color="red" role="alert">
          {change.error.message}
        </Alert>
      )}
      <AffectedDialog state={affected} busy={change.isPending} onConfirm={save} />
      {flipped.length > 0 && (
        <Group gap="xs">
          <Button onClick={() => save(NOTHING_SEEN)} loading={change.isPending}>
            Save offerings
          </Button>
          <Button variant="default" onClick={() => setFlipped([])}>
            Discard
          </Button>
        </Group>
      )}
    </Stack>
  );
}

type MatrixProps = {
  choices: Choices;
  disabled: boolean;
  isOn: (key: string) => boolean;
  onFlip: (key: string) => void;
};

function Matrix({ choices: { specialists, locations }, disabled, isOn, onFlip }: MatrixProps) {
  return (
    <DataTable grid caption="Offerings" minWidth={160 + 120 * locations.length}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Specialist</Table.Th>
          <Columns labels={locations.map(({ name }) => name)} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {specialists.map((specialist) => (
          <Table.Tr key={specialist.id}>
            <Table.Th scope="row">{specialist.name}</Table.Th>
            {locations.map((location) => {
              const key = keyOf({ specialist_id: specialist.id, location_id: location.id });
              return (
                <Table.Td key={location.id}>
                  <Checkbox
                    aria-label={`${specialist.name} at ${location.name}`}
                    checked={isOn(key)}
                    disabled={disabled}
                    onChange={() => onFlip(key)}
                  />
                </Table.Td>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
