'use client';

import { Checkbox, Group, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { LocationChoice } from '../../_components/api-types';
import { ErrorState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import type { PolicyForm } from './use-policy-form';

/** A choice between selected locations and all locations. The choice "all" includes locations that are added later. */
export function LocationField({ form }: { form: PolicyForm }) {
  const t = useTranslations('applications.form');
  const { all_locations: all } = form.values;
  return (
    <Stack gap="md">
      <Radio.Group
        label={t('locations')}
        value={all ? 'all' : 'some'}
        onChange={(value) => form.setFieldValue('all_locations', value === 'all')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('allLocations')} />
          <Radio value="some" label={t('selectedLocations')} />
        </Stack>
      </Radio.Group>
      {!all && <Choices form={form} />}
    </Stack>
  );
}

function Choices({ form }: { form: PolicyForm }) {
  const t = useTranslations('applications.form');
  const trpc = useTRPC();
  const locations = useQuery(trpc.locations.list.queryOptions());
  if (locations.isError) return <ErrorState error={locations.error} retry={() => void locations.refetch()} />;
  if (!locations.data) return <Skeleton height={140} />;
  if (locations.data.length === 0) return <Text size="sm">{t('noLocations')}</Text>;
  return (
    <Checkbox.Group
      label={t('allowedLocations')}
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
          {t('noneSelected')}
        </Text>
      )}
    </Checkbox.Group>
  );
}

function LocationLabel({ location: { name, city, published } }: { location: LocationChoice }) {
  const t = useTranslations('applications.form');
  return (
    <Group gap={6} component="span">
      {name}
      <Text size="sm" c="dimmed" component="span">
        {published ? city : t('unpublishedCity', { city })}
      </Text>
    </Group>
  );
}
