'use client';

import { Checkbox, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { Section } from '../../../applications/_components/policy-fields';
import { NumberField, OptionalTranslatedField, TextField, TranslatedField } from '../fields';
import { useFieldError } from '../form-context';
import { formatPrice, fractionDigits } from '../format';
import type { FieldsProps } from '../kind';
import type { ServiceValues } from '../types';
import type { RecordForm } from '../use-record-form';

type Props = FieldsProps<ServiceValues>;

export function ServiceFields({ form, choices }: Props) {
  const { values, set } = form;
  return (
    <Stack gap="md">
      <Section title="Name and description" lead="Shown to customers in the language that the partner requests.">
        <TranslatedField
          label="Name"
          path="name"
          languages={choices}
          value={values.name}
          onChange={(texts) => set('name', texts)}
        />
        <OptionalTranslatedField
          label="Category"
          path="category"
          languages={choices}
          value={values.category}
          onChange={(texts) => set('category', texts)}
        />
        <OptionalTranslatedField
          label="Description"
          path="description"
          languages={choices}
          value={values.description}
          onChange={(texts) => set('description', texts)}
          lines
        />
      </Section>
      <Timing form={form} />
      <Rules form={form} />
      <Section title="Price" lead="Shown to partners. No payment is collected.">
        <Price form={form} />
      </Section>
    </Stack>
  );
}

function numberField({ values, set }: RecordForm<ServiceValues>) {
  return (name: NumberName) => ({
    path: name,
    value: values[name],
    onChange: (value: number) => set(name, value),
  });
}

type NumberName = {
  [Name in keyof ServiceValues]: ServiceValues[Name] extends number ? Name : never;
}[keyof ServiceValues];

function Timing({ form }: { form: RecordForm<ServiceValues> }) {
  const field = numberField(form);
  return (
    <Section
      title="Duration and capacity"
      lead="Buffers keep time free before and after a booking. Partners don’t see them."
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label="Duration"
          suffix=" min"
          description="Length of one booking."
          {...field('duration_minutes')}
        />
        <NumberField
          label="Slot interval"
          suffix=" min"
          description="Time from one possible start to the next, counted from midnight. With 30 minutes, slots can start at 9:00 and 9:30."
          {...field('slot_interval_minutes')}
        />
        <NumberField label="Buffer before" suffix=" min" {...field('buffer_before_minutes')} />
        <NumberField label="Buffer after" suffix=" min" {...field('buffer_after_minutes')} />
        <NumberField label="Capacity" description="Customers per slot." {...field('capacity')} />
      </SimpleGrid>
    </Section>
  );
}

function Rules({ form }: { form: RecordForm<ServiceValues> }) {
  const field = numberField(form);
  return (
    <Section title="Booking rules" lead="When partners can book, and how late they can change a booking.">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label="Lead time"
          suffix=" min"
          description="Partners must book at least this long before the start."
          {...field('min_lead_minutes')}
        />
        <NumberField
          label="Booking window"
          suffix=" days"
          description="How far ahead partners can book."
          {...field('max_advance_days')}
        />
        <NumberField
          label="Cancellation cutoff"
          suffix=" min"
          description="Partners can reschedule or cancel up to this long before the start."
          {...field('cancellation_cutoff_minutes')}
        />
      </SimpleGrid>
    </Section>
  );
}

function Price({ form: { values, set } }: { form: RecordForm<ServiceValues> }) {
  const { price } = values;
  const digits = fractionDigits(price?.currency ?? 'EUR');
  return (
    <>
      <Checkbox
        label="Has a price"
        checked={price !== null}
        onChange={(event) => set('price', event.currentTarget.checked ? { amount: 0, currency: 'EUR' } : null)}
      />
      {price && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberField
            label="Amount"
            path="price.amount"
            description={`Enter the amount in minor units: ${10 ** digits} for ${formatPrice(10 ** digits, price.currency)}. Current price: ${formatPrice(price.amount, price.currency)}.`}
            value={price.amount}
            onChange={(amount) => set('price', { ...price, amount })}
          />
          <Currency value={price.currency} onChange={(currency) => set('price', { ...price, currency })} />
        </SimpleGrid>
      )}
    </>
  );
}

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'INR', 'AUD', 'CAD', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN'];

function Currency({ value, onChange }: { value: string; onChange: (currency: string) => void }) {
  const error = useFieldError('price.currency', 'Currency');
  const isCommon = COMMON.includes(value);
  if (!isCommon && value !== '' && value.length !== 3)
    return <TextField label="Currency" path="price.currency" value={value} onChange={onChange} maxLength={3} />;
  return (
    <NativeSelect
      label="Currency"
      description="ISO 4217 code."
      value={value}
      error={error}
      data={isCommon ? COMMON : [value, ...COMMON]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
