'use client';

import { Checkbox, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LocationChoice } from '../../_components/api-types';
import { ErrorState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import type { PolicyForm } from './use-policy-form';

/** A choice between selected locations and all locations. The choice "all" includes locations that are added later. */
export function LocationField({ form }: { form: PolicyForm }) {
  const { all_locations: all } = form.values;
  return (
    <Stack gap="md">
      <Radio.Group
        label="Locations"
        value={all ? 'all' : 'some'}
        onChange={(value) => form.setFieldValue('all_locations', value === 'all')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="All current and future locations" />
          <Radio value="some" label="Selected locations" />
        </Stack>
      </Radio.Group>
      {!all && <Choices form={form} />}
    </Stack>
  );
}

function Choices({ form }: { form: PolicyForm }) {
  const trpc = useTRPC();
  const locations = useQuery(trpc.locations.list.queryOptions());
  if (locations.isError) return <ErrorState error={locations.error} retry={() => void locations.refetch()} />;
  if (!locations.data) return <Skeleton height={140} />;
  if (locations.data.length === 0) return <Text size="sm">You have no locations yet.</Text>;
  return (
    <Checkbox.Group
      label="Allowed locations"
      error={form.errors.location_ids}
      value={form.values.location_ids}
      onChange={(ids) => form.setFieldValue('location_ids', ids)}
    >
      <Stack gap="xs" mt="xs" mb="xs">
        {locations.data.map((location) => (
          <Checkbox key={location.id} value={location.id} label={<LocationLabel location={location} />} />
        ))}
      </Stack>
      {form.values.location_ids.length === 0 && (
        <Text size="sm" c="dimmed">
          No location is selected, so the application’s catalog is empty.
        </Text>
      )}
    </Checkbox.Group>
  );
}

function LocationLabel({ location: { name, city, published } }: { location: LocationChoice }) {
  return (
    <Group gap={6} component="span">
      {name}
      <Text size="sm" c="dimmed" component="span">
        {city}
        {!published && ', not published'}
      </Text>
    </Group>
  );
}
