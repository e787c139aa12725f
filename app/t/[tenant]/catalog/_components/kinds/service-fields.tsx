'use client';

import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useTranslations } from 'use-intl';
import { CURRENCIES, isCurrency } from '@/lib/contract/currencies';
import { Section } from '../../../_components/forms/form-section';
import { AmountField, DurationField, NumberField, OptionalTranslatedField, TranslatedField } from '../fields';
import { useFieldError } from '../form-context';
import type { FieldsProps } from '../kind';
import { LanguageTabs } from '../language-tabs';
import { inCurrency } from '../money';
import { OfferedByField } from '../offered-by';
import { OFFERED_BY } from '../offers';
import type { ServiceValues } from '../types';
import { bindFields, type RecordForm } from '../use-record-form';

// Appears when its answer arrives, so it is not part of the first scripts.
const NextPriceNotice = dynamic(() => import('../next-price-notice').then((module) => module.NextPriceNotice), {
  ssr: false,
});

type Props = FieldsProps<ServiceValues>;

/** Limits for durations, in minutes. */
const DAY = 1_440;
const YEAR = 525_600;

export function ServiceFields({ form, choices, canEdit, isNew }: Props) {
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

/** Returns the options of the currency field: common currencies first. A stored code that is invalid is added. */
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
