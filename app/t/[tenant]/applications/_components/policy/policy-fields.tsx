'use client';

import { Checkbox, Group, NumberInput, Radio, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import type { LocationChoice } from '../../../_components/api-types';
import { Section } from '../../../_components/forms/form-section';
import { ErrorState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { EntryListField } from './entry-list-field';
import { networkExtent, networkProblem, originProblem } from './entry-rules';
import { ScopeField } from './scope-field';
import type { PolicyForm } from './use-policy-form';

type Props = {
  form: PolicyForm;
  /** The presets, shown above the scopes. They are a prop so that only the page of a new application loads them. */
  presets?: ReactNode;
};

/** A policy's fields: name, permissions, locations, network access, rate limit, and agents. */
export function PolicyFields({ form, presets }: Props) {
  const t = useTranslations('applications.form');
  const format = useFormats();
  return (
    <Stack gap="md">
      <Section title={t('name')} lead={t('nameLead')}>
        <TextInput label={t('name')} maxLength={200} required {...form.getInputProps('name')} />
      </Section>
      <Section title={t('permissions')} lead={t('permissionsLead')}>
        {presets}
        <ScopeField value={form.values.scopes} onChange={(scopes) => form.setFieldValue('scopes', scopes)} />
      </Section>
      <Section title={t('locations')} lead={t('locationsLead')}>
        <LocationField form={form} />
      </Section>
      <Section title={t('network')} lead={t('networkLead')}>
        <Networks form={form} />
        <Origins form={form} />
      </Section>
      <Section title={t('rate')} lead={t('rateLead')}>
        <NumberInput
          label={t('quota')}
          description={t('quotaHelp')}
          min={1}
          max={1_000_000}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          {...separatorsOf(format)}
          maw={240}
          required
          {...form.getInputProps('quota')}
        />
      </Section>
      <Section title={t('agents')} lead={t('agentsLead')}>
        <Switch
          label={t('ask')}
          description={t('askHelp')}
          {...form.getInputProps('agents_ask', { type: 'checkbox' })}
        />
      </Section>
    </Stack>
  );
}

/** Returns how the reader writes large numbers. Both separators must differ. */
function separatorsOf(format: Formats) {
  const thousandSeparator = format.count(1_000_000).charAt(1);
  return { thousandSeparator, decimalSeparator: thousandSeparator === ',' ? '.' : ',' };
}

function Networks({ form }: { form: PolicyForm }) {
  const t = useTranslations('applications.form');
  const entries = useTranslations('applications.entries');
  return (
    <EntryListField
      label={t('networks')}
      description={t('networksHelp')}
      whenEmpty={t('anyNetwork')}
      placeholder="203.0.113.0/24"
      entries={form.values.networks}
      draft={form.values.network_draft}
      error={form.errors.networks}
      rule={(text) => networkProblem(entries, text)}
      explain={(text) => networkExtent(entries, text)}
      onEntries={(next) => form.setFieldValue('networks', next)}
      onDraft={(draft) => form.setFieldValue('network_draft', draft)}
    />
  );
}

function Origins({ form }: { form: PolicyForm }) {
  const t = useTranslations('applications.form');
  const entries = useTranslations('applications.entries');
  return (
    <EntryListField
      label={t('origins')}
      description={t('originsHelp')}
      whenEmpty={t('anyOrigin')}
      placeholder="https://partner.example"
      entries={form.values.origins}
      draft={form.values.origin_draft}
      error={form.errors.origins}
      rule={(text) => originProblem(entries, text)}
      onEntries={(next) => form.setFieldValue('origins', next)}
      onDraft={(draft) => form.setFieldValue('origin_draft', draft)}
    />
  );
}

/** A choice between selected locations and all locations. The choice "all" includes locations that are added later. */
function LocationField({ form }: { form: PolicyForm }) {
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
      {form.values.location_ids.length === 0 && <Hint>{t('noneSelected')}</Hint>}
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
