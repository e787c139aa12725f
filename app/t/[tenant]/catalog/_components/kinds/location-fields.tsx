'use client';

import { Select, SimpleGrid, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Section } from '../../../_components/forms/form-section';
import { ZoneField } from '../../../_components/forms/zone-field';
import { countryOptions } from '../countries';
import { ExceptionsEditor } from '../dates-editor';
import { TextField, TranslatedField } from '../fields';
import { useFieldError } from '../form-context';
import { WeekEditor } from '../hours-editor';
import type { FieldsProps } from '../kind';
import type { LocationValues } from '../types';
import { bindFields, type RecordForm } from '../use-record-form';

type Props = FieldsProps<LocationValues>;

export function LocationFields({ form, choices }: Props) {
  const field = bindFields(form);
  return (
    <Stack gap="md">
      <Section title="Name" lead="One name for each language of your business.">
        <TranslatedField label="Name" languages={choices} {...field('name')} />
      </Section>
      <Address form={form} />
      <Section
        title="Opening hours"
        lead="In the location’s local time. An end time that is earlier than the start time falls on the next day. Equal start and end times mean 24 hours."
      >
        <WeekEditor label="Opening hours" {...field('hours')} />
      </Section>
      <Section
        title="Exceptions"
        lead="Holidays and special days. An exception replaces the regular hours that start on that date."
      >
        <ExceptionsEditor label="Exceptions" {...field('exceptions')} />
      </Section>
    </Stack>
  );
}

function Address({ form: { values, set } }: { form: RecordForm<LocationValues> }) {
  const { address } = values;
  const part = (name: keyof LocationValues['address'], label: string, maxLength: number) => (
    <TextField
      label={label}
      path={`address.${name}`}
      value={address[name]}
      onChange={(text) => set('address', { ...address, [name]: text })}
      maxLength={maxLength}
      required
    />
  );
  return (
    <Section title="Address and time zone" lead="Bookings at this location use its time zone.">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {part('line1', 'Street address', 200)}
        {part('city', 'City', 200)}
        {part('postal_code', 'Postal code', 20)}
        <Country value={address.country} onChange={(country) => set('address', { ...address, country })} />
        <TimeZone value={values.time_zone} onChange={(zone) => set('time_zone', zone)} />
        <TextField
          label="Phone"
          path="phone"
          value={values.phone ?? ''}
          onChange={(phone) => set('phone', phone || null)}
          maxLength={40}
        />
      </SimpleGrid>
    </Section>
  );
}

function Country({ value, onChange }: { value: string; onChange: (country: string) => void }) {
  const options = useMemo(() => countryOptions(value), [value]);
  return (
    <Select
      searchable
      label="Country"
      required
      allowDeselect={false}
      data={options}
      value={value || null}
      error={useFieldError('address.country', 'Country')}
      onChange={(country) => country !== null && onChange(country)}
    />
  );
}

function TimeZone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  return (
    <ZoneField
      label="Time zone"
      required
      value={value}
      error={useFieldError('time_zone', 'Time zone')}
      onChange={onChange}
    />
  );
}
