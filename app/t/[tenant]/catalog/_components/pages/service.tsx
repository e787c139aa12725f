'use client';

import { Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { CURRENCIES, isCurrency } from '@/lib/contract/currencies';
import { Section } from '../../../_components/forms/form-section';
import styles from '../catalog.module.css';
import { AmountField, DurationField, NumberField, OptionalTranslatedField, TranslatedField } from '../fields/fields';
import { LanguageTabs } from '../fields/language-tabs';
import type { FieldsProps } from '../kind';
import { SERVICE } from '../kinds/service';
import { addOffers, OFFERED_BY, type OfferedBy, offersBySpecialist } from '../offers/offers';
import { inCurrency } from '../prices/money';
import { useFieldError } from '../records/form-context';
import { NewRecord } from '../records/new-record';
import { RecordEdit } from '../records/record-edit';
import { bindFields, type RecordForm } from '../records/use-record-form';
import type { Choices, ServiceValues } from '../types';

export function ServicePage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return <RecordEdit kind={SERVICE} Fields={ServiceFields} id={id} canEdit={canEdit} />;
}

export function NewServicePage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={SERVICE} Fields={ServiceFields} canEdit={canEdit} />;
}

// Appears when its answer arrives, so it is not part of the first scripts.
const NextPriceNotice = dynamic(() => import('../prices/next-price-notice').then((module) => module.NextPriceNotice), {
  ssr: false,
});

type Props = FieldsProps<ServiceValues>;

/** Limits for durations, in minutes. */
const DAY = 1_440;
const YEAR = 525_600;

function ServiceFields({ form, choices, canEdit, isNew }: Props) {
  const t = useTranslations('catalog.service');
  const { values, set } = form;
  return (
    <Stack gap="md">
      <Section title={t('texts')} lead={t('textsLead')}>
        <LanguageTabs languages={choices} paths={['name', 'category', 'description']} canEdit={canEdit}>
          {(only) => <Texts form={form} choices={choices} only={only} />}
        </LanguageTabs>
      </Section>
      <Timing form={form} />
      <Rules form={form} />
      <Section title={t('price')} lead={t('priceLead')}>
        <Price form={form} />
        {!isNew && <NextPriceNotice canEdit={canEdit} />}
      </Section>
      {!isNew && (
        <Section id={OFFERED_BY} title={t('offers')} lead={t('offersLead')}>
          <OfferedByField
            value={values.offered_by}
            onChange={(pairs) => set('offered_by', pairs)}
            choices={choices}
            canEdit={canEdit}
          />
        </Section>
      )}
    </Stack>
  );
}

type TextsProps = Pick<Props, 'form' | 'choices'> & { only: string | undefined };

function Texts({ form, choices, only }: TextsProps) {
  const t = useTranslations('catalog.service');
  const field = bindFields(form);
  const shown = { languages: choices, only };
  return (
    <>
      <TranslatedField label={t('name')} {...shown} {...field('name')} />
      <OptionalTranslatedField label={t('category')} {...shown} {...field('category')} />
      <OptionalTranslatedField label={t('description')} {...shown} {...field('description')} lines />
    </>
  );
}

function Timing({ form }: { form: RecordForm<ServiceValues> }) {
  const t = useTranslations('catalog.service');
  const field = bindFields(form);
  return (
    <Section title={t('timing')} lead={t('timingLead')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <DurationField
          label={t('duration')}
          description={t('durationHint')}
          min={1}
          max={DAY}
          {...field('duration_minutes')}
        />
        <DurationField
          label={t('interval')}
          description={t('intervalHint')}
          min={1}
          max={DAY}
          {...field('slot_interval_minutes')}
        />
        <DurationField label={t('bufferBefore')} min={0} max={DAY} {...field('buffer_before_minutes')} />
        <DurationField label={t('bufferAfter')} min={0} max={DAY} {...field('buffer_after_minutes')} />
        <NumberField label={t('capacity')} description={t('capacityHint')} {...field('capacity')} />
      </SimpleGrid>
    </Section>
  );
}

function Rules({ form }: { form: RecordForm<ServiceValues> }) {
  const t = useTranslations('catalog.service');
  const field = bindFields(form);
  return (
    <Section title={t('rules')} lead={t('rulesLead')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <DurationField
          label={t('notice')}
          description={t('noticeHint')}
          min={0}
          max={YEAR}
          {...field('min_lead_minutes')}
        />
        <NumberField
          label={t('window')}
          unit={t('windowUnit')}
          description={t('windowHint')}
          {...field('max_advance_days')}
        />
        <DurationField
          label={t('cutoff')}
          description={t('cutoffHint')}
          min={0}
          max={YEAR}
          {...field('cancellation_cutoff_minutes')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Price({ form: { values, set } }: { form: RecordForm<ServiceValues> }) {
  const t = useTranslations('catalog.service');
  const { price } = values;
  return (
    <>
      <Checkbox
        label={t('hasPrice')}
        checked={price !== null}
        onChange={(event) => set('price', event.currentTarget.checked ? { amount: 0, currency: 'EUR' } : null)}
      />
      {price && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <AmountField
            label={t('amount')}
            path="price.amount"
            currency={price.currency}
            value={price.amount}
            onChange={(amount) => set('price', { ...price, amount })}
          />
          <Currency value={price.currency} onChange={(currency) => set('price', inCurrency(price, currency))} />
        </SimpleGrid>
      )}
    </>
  );
}

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'INR', 'AUD', 'CAD', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN'];

const ORDERED = [
  ...CURRENCIES.filter(({ code }) => COMMON.includes(code)).sort(
    (a, b) => COMMON.indexOf(a.code) - COMMON.indexOf(b.code),
  ),
  ...CURRENCIES.filter(({ code }) => !COMMON.includes(code)),
];

function useCurrencyOptions(selected: string) {
  const t = useTranslations('catalog.service');
  const tName = useTranslations('currencies.names');
  const options = ORDERED.map(({ code }) => ({ value: code, label: `${code} – ${tName(code as 'EUR')}` }));
  const invalid = { value: selected, label: t('notCurrency', { code: selected }) };
  return isCurrency(selected) ? options : [invalid, ...options];
}

function Currency({ value, onChange }: { value: string; onChange: (currency: string) => void }) {
  const t = useTranslations('catalog.service');
  return (
    <Select
      searchable
      label={t('currency')}
      allowDeselect={false}
      value={value}
      error={useFieldError('price.currency', t('currency'))}
      data={useCurrencyOptions(value)}
      onChange={(currency) => currency !== null && onChange(currency)}
    />
  );
}

const AddOffer = dynamic(() => import('../offers/add-offer').then((module) => module.AddOffer), { ssr: false });

type OfferedByFieldProps = {
  value: readonly OfferedBy[];
  onChange: (value: OfferedBy[]) => void;
  choices: Choices;
  canEdit: boolean;
};

const SEARCHED_ABOVE = 8;

function OfferedByField({ value, onChange, choices, canEdit }: OfferedByFieldProps) {
  const t = useTranslations('catalog.offers');
  const [search, setSearch] = useState('');
  const rows = offersBySpecialist(value, choices);
  const found = rows.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  if (choices.specialists.length === 0 || choices.locations.length === 0) return <Text size="sm">{t('first')}</Text>;
  const remove = (specialistId: string, locationId: string) =>
    onChange(value.filter((pair) => pair.specialist_id !== specialistId || pair.location_id !== locationId));
  return (
    <Stack gap="md">
      {rows.length > SEARCHED_ABOVE && (
        <TextInput
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          // Without this handler, Enter would save the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {rows.length === 0 && <Hint>{t('none')}</Hint>}
      {rows.length > 0 && found.length === 0 && <Hint role="status">{t('noMatches')}</Hint>}
      {found.length > 0 && (
        <ul className={styles.offers} aria-label={t('list')}>
          {found.map(({ id, name, locations }) => (
            <li key={id} className={styles.offer}>
              <Text size="sm" fw={550}>
                {name}
              </Text>
              <Group gap={6}>
                {locations.map((location) => (
                  <Place
                    key={location.id}
                    name={location.name}
                    label={t('remove', { specialist: name, location: location.name })}
                    onRemove={canEdit ? () => remove(id, location.id) : undefined}
                  />
                ))}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {canEdit && <AddOffer choices={choices} onAdd={(added) => onChange(addOffers(value, added))} />}
    </Stack>
  );
}

type PlaceProps = { name: string; label: string; onRemove: (() => void) | undefined };

function Place({ name, label, onRemove }: PlaceProps) {
  if (!onRemove) return <Text size="sm">{name}</Text>;
  return (
    <Button
      variant="default"
      size="compact-xs"
      rightSection={<IconX size={12} aria-hidden />}
      aria-label={label}
      onClick={onRemove}
    >
      {name}
    </Button>
  );
}
