'use client';

import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import { CURRENCIES, isCurrency } from '@/lib/contract/currencies';
import { Section } from '../../../_components/forms/form-section';
import { AmountField, DurationField, NumberField, OptionalTranslatedField, TranslatedField } from '../fields';
import { useFieldError } from '../form-context';
import type { FieldsProps } from '../kind';
import { LanguageTabs } from '../language-tabs';
import { inCurrency } from '../money';
import { NextPriceNotice } from '../next-price-notice';
import { OfferedByField } from '../offered-by';
import { OFFERED_BY } from '../offers';
import type { ServiceValues } from '../types';
import { bindFields, type RecordForm } from '../use-record-form';

type Props = FieldsProps<ServiceValues>;

/** Limits for durations, in minutes. */
const DAY = 1_440;
const YEAR = 525_600;

export function ServiceFields({ form, choices, canEdit, isNew }: Props) {
  const { values, set } = form;
  return (
    <Stack gap="md">
      <Section title="Name and description" lead="Shown to customers in the language that the partner requests.">
        <LanguageTabs languages={choices} paths={['name', 'category', 'description']} canEdit={canEdit}>
          {(only) => <Texts form={form} choices={choices} only={only} />}
        </LanguageTabs>
      </Section>
      <Timing form={form} />
      <Rules form={form} />
      <Section title="Price" lead="Shown to partners. No payment is collected.">
        <Price form={form} />
        {!isNew && <NextPriceNotice canEdit={canEdit} />}
      </Section>
      {!isNew && (
        <Section
          id={OFFERED_BY}
          title="Who offers this"
          lead="The specialists who offer this service, and where. Set working hours on each specialist’s page."
        >
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
  const field = bindFields(form);
  const shown = { languages: choices, only };
  return (
    <>
      <TranslatedField label="Name" {...shown} {...field('name')} />
      <OptionalTranslatedField label="Category" {...shown} {...field('category')} />
      <OptionalTranslatedField label="Description" {...shown} {...field('description')} lines />
    </>
  );
}

function Timing({ form }: { form: RecordForm<ServiceValues> }) {
  const field = bindFields(form);
  return (
    <Section
      title="Duration and capacity"
      lead="Buffers keep time free before and after a booking. Partners do not see them."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DurationField
          label="Duration"
          description="Length of one booking."
          min={1}
          max={DAY}
          {...field('duration_minutes')}
        />
        <DurationField
          label="Start times every"
          description="Time between start times, counted from midnight. For example, 30 min allows 09:00 and 09:30."
          min={1}
          max={DAY}
          {...field('slot_interval_minutes')}
        />
        <DurationField label="Buffer before" min={0} max={DAY} {...field('buffer_before_minutes')} />
        <DurationField label="Buffer after" min={0} max={DAY} {...field('buffer_after_minutes')} />
        <NumberField
          label="Capacity"
          description="Maximum number of customers per specialist at the same start time."
          {...field('capacity')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Rules({ form }: { form: RecordForm<ServiceValues> }) {
  const field = bindFields(form);
  return (
    <Section title="Booking rules" lead="When partners can book, and how late they can change a booking.">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DurationField
          label="Minimum notice"
          description="Partners must book at least this long before the start."
          min={0}
          max={YEAR}
          {...field('min_lead_minutes')}
        />
        <NumberField
          label="Booking window"
          unit="days"
          description="How far ahead partners can book."
          {...field('max_advance_days')}
        />
        <DurationField
          label="Change cutoff"
          description="Partners can reschedule or cancel up to this long before the start. A shorter time also applies to future bookings that exist; a longer one does not, because their customers know the earlier rule."
          min={0}
          max={YEAR}
          {...field('cancellation_cutoff_minutes')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Price({ form: { values, set } }: { form: RecordForm<ServiceValues> }) {
  const { price } = values;
  return (
    <>
      <Checkbox
        label="Has a price"
        checked={price !== null}
        onChange={(event) => set('price', event.currentTarget.checked ? { amount: 0, currency: 'EUR' } : null)}
      />
      {price && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <AmountField
            label="Amount"
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

const OPTIONS = [
  ...CURRENCIES.filter(({ code }) => COMMON.includes(code)).sort(
    (a, b) => COMMON.indexOf(a.code) - COMMON.indexOf(b.code),
  ),
  ...CURRENCIES.filter(({ code }) => !COMMON.includes(code)),
].map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }));

/** Returns the options of the currency field: common currencies first. A stored code that is invalid is added. */
function currencyOptions(selected: string) {
  return isCurrency(selected) ? OPTIONS : [{ value: selected, label: `${selected} – not a currency` }, ...OPTIONS];
}

function Currency({ value, onChange }: { value: string; onChange: (currency: string) => void }) {
  return (
    <Select
      searchable
      label="Currency"
      allowDeselect={false}
      value={value}
      error={useFieldError('price.currency', 'Currency')}
      data={currencyOptions(value)}
      onChange={(currency) => currency !== null && onChange(currency)}
    />
  );
}
