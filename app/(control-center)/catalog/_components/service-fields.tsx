'use client';

import { Checkbox, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { Section } from '../../applications/_components/policy-fields';
import { NumberField, OptionalTranslatedField, TextField, TranslatedField } from './fields';
import { useFieldError } from './form-context';
import { formatPrice, fractionDigits } from './format';
import type { Choices, ServiceRecord } from './types';
import type { RecordForm } from './use-record-form';

/** A service without whether it is published. */
export type ServiceValues = Omit<ServiceRecord, 'published'>;

type Props = { form: RecordForm<ServiceValues>; choices: Choices };

/** What a new service begins with. */
export const NEW_SERVICE: ServiceValues = {
  name: {},
  description: null,
  category: null,
  duration_minutes: 30,
  slot_interval_minutes: 15,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  capacity: 1,
  price: null,
  min_lead_minutes: 60,
  max_advance_days: 90,
  cancellation_cutoff_minutes: 1_440,
};

/** The fields of a service. */
export function ServiceFields({ form, choices }: Props) {
  const { values, set } = form;
  return (
    <Stack gap="md">
      <Section title="Texts" lead="Partners show these to their customers, in the language they ask for.">
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
      <Section title="Price" lead="Shown to partners. Nothing is charged here.">
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
    <Section title="How long" lead="Buffers keep time free around a booking. Partners never see them.">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField label="Duration" suffix=" min" {...field('duration_minutes')} />
        <NumberField
          label="Step"
          suffix=" min"
          description="Starts lie on this grid from midnight."
          {...field('slot_interval_minutes')}
        />
        <NumberField label="Buffer before" suffix=" min" {...field('buffer_before_minutes')} />
        <NumberField label="Buffer after" suffix=" min" {...field('buffer_after_minutes')} />
        <NumberField label="Capacity" description="Guests per slot; above 1 it is a group." {...field('capacity')} />
      </SimpleGrid>
    </Section>
  );
}

function Rules({ form }: { form: RecordForm<ServiceValues> }) {
  const field = numberField(form);
  return (
    <Section title="When" lead="How soon, how far ahead, and until when a partner may change a booking.">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label="Lead time"
          suffix=" min"
          description="At least so long before the start."
          {...field('min_lead_minutes')}
        />
        <NumberField
          label="Horizon"
          suffix=" days"
          description="At most so far ahead."
          {...field('max_advance_days')}
        />
        <NumberField
          label="Cut-off"
          suffix=" min"
          description="Partners may cancel and move until so long before the start."
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
            description={`In the smallest unit: ${formatPrice(10 ** digits, price.currency)} is ${10 ** digits}. Now ${formatPrice(price.amount, price.currency)}.`}
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
  const error = useFieldError('price.currency');
  const known = COMMON.includes(value);
  if (!known && value !== '' && value.length !== 3)
    return <TextField label="Currency" path="price.currency" value={value} onChange={onChange} maxLength={3} />;
  return (
    <NativeSelect
      label="Currency"
      description="ISO 4217."
      value={value}
      error={error}
      data={known ? COMMON : [value, ...COMMON]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
