'use client';

import { Select, SimpleGrid, Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Section } from '../../../_components/forms/form-section';
import { ZoneField } from '../../../_components/forms/zone-field';
import { LoadingRows } from '../../../_components/states';
import { countryOptions } from '../fields/countries';
import { TextField, TranslatedField } from '../fields/fields';
import type { FieldsProps } from '../kind';
import { LOCATION } from '../kinds/location';
import { useFieldError } from '../records/form-context';
import { NewRecord } from '../records/new-record';
import { RecordEdit } from '../records/record-edit';
import { bindFields, type RecordForm } from '../records/use-record-form';
import type { LocationValues } from '../types';
import { BlockedTimes } from './blocked-times';

export function LocationPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return (
    <BlockedTimes kind="location" id={id} canEdit={canEdit}>
      <RecordEdit kind={LOCATION} Fields={LocationFields} id={id} canEdit={canEdit} />
    </BlockedTimes>
  );
}

export function NewLocationPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={LOCATION} Fields={LocationFields} canEdit={canEdit} />;
}

// Below the address, so they are not part of the first scripts.
const WeekEditor = dynamic(() => import('../fields/hours-editor').then((module) => module.WeekEditor), {
  ssr: false,
  loading: () => <LoadingRows rows={7} height={44} />,
});
const ExceptionsEditor = dynamic(() => import('../fields/dates-editor').then((module) => module.ExceptionsEditor), {
  ssr: false,
});

type Props = FieldsProps<LocationValues>;

function LocationFields({ form, choices }: Props) {
  const t = useTranslations('catalog.location');
  const field = bindFields(form);
  return (
    <Stack gap="md">
      <Section title={t('name')} lead={t('nameLead')}>
        <TranslatedField label={t('name')} languages={choices} {...field('name')} />
      </Section>
      <Address form={form} />
      <Section title={t('hours')} lead={t('hoursLead')}>
        <WeekEditor label={t('hours')} {...field('hours')} />
      </Section>
      <Section title={t('exceptions')} lead={t('exceptionsLead')}>
        <ExceptionsEditor label={t('exceptions')} {...field('exceptions')} />
      </Section>
    </Stack>
  );
}

function Address({ form: { values, set } }: { form: RecordForm<LocationValues> }) {
  const t = useTranslations('catalog.location');
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
    <Section title={t('address')} lead={t('addressLead')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {part('line1', t('line1'), 200)}
        {part('city', t('city'), 200)}
        {part('postal_code', t('postalCode'), 20)}
        <Country value={address.country} onChange={(country) => set('address', { ...address, country })} />
        <TimeZone value={values.time_zone} onChange={(zone) => set('time_zone', zone)} />
        <TextField
          label={t('phone')}
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
  const t = useTranslations('catalog.location');
  const format = useFormats();
  const options = useMemo(() => countryOptions(format, value), [format, value]);
  return (
    <Select
      searchable
      label={t('country')}
      required
      allowDeselect={false}
      data={options}
      value={value || null}
      error={useFieldError('address.country', t('country'))}
      onChange={(country) => country !== null && onChange(country)}
    />
  );
}

function TimeZone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const t = useTranslations('catalog.location');
  return (
    <ZoneField
      label={t('timeZone')}
      required
      value={value}
      error={useFieldError('time_zone', t('timeZone'))}
      onChange={onChange}
    />
  );
}
