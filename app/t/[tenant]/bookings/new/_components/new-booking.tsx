'use client';

import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Link } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import { decimalText } from '@/lib/contract/currencies';
import { Section } from '../../../_components/forms/form-section';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { currencySign, parseAmount } from '../../../catalog/_components/money';
import { useToday } from '../../_components/day-stepper';
import { readSearchedPhone } from '../../_components/phone';
import { bookingHref, type NewBookingQuery } from '../../_components/query';
import type { BrokenRule, NewChoices } from '../../_components/types';
import { useRememberLocation } from '../../_components/use-remember-location';
import { StartField } from './start-field';

/** Makes a booking of the business. `preset` is what the URL states, such as the time that was clicked in a schedule. */
export function NewBooking({ preset }: { preset: NewBookingQuery }) {
  const trpc = useTRPC();
  const today = useToday();
  const [location, setLocation] = useState(preset.location);
  const remember = useRememberLocation();
  const select = (id: string) => {
    setLocation(id);
    remember(id);
  };
  const choices = useQuery(trpc.bookings.new_choices.queryOptions({ location_id: location }));
  if (choices.isError) return <ErrorState error={choices.error} retry={() => void choices.refetch()} />;
  if (!choices.data || today === null) return <LoadingRows rows={6} height={60} />;
  if (choices.data.locations.length === 0)
    return <EmptyState title="No locations yet">Create a location in the catalog first.</EmptyState>;
  return <Form choices={choices.data} preset={{ ...preset, date: preset.date ?? today }} onLocation={select} />;
}

type FormProps = {
  choices: NewChoices;
  preset: NewBookingQuery & { date: string };
  onLocation: (id: string) => void;
};

/** The fields of the form, by the path that the server names in a refusal. */
const FIELDS: Record<string, keyof Values> = {
  'customer.phone': 'phone',
  'customer.name': 'name',
  'customer.email': 'email',
  'customer.consent_to_contact': 'consent',
  price_amount: 'price',
  service_id: 'service',
  specialist_id: 'specialist',
  date: 'date',
  start_time: 'start',
  note: 'note',
};

type Values = {
  phone: string;
  name: string;
  email: string;
  consent: boolean;
  service: string;
  specialist: string;
  date: string;
  start: string;
  price: string;
  note: string;
};

function Form({ choices, preset, onLocation }: FormProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const hrefOf = useTenantHref();
  // A repeated click sends the same key, and the server makes one booking for a key.
  const [key] = useState(newKey);
  const [confirmed, setConfirmed] = useState<BrokenRule[]>([]);
  const locationId = choices.location_id ?? '';
  const form = useForm<Values>({
    initialValues: {
      phone: '',
      name: '',
      email: '',
      consent: false,
      service: '',
      specialist: preset.specialist ?? '',
      date: preset.date,
      start: preset.time ?? '',
      price: '',
      note: '',
    },
    validate: {
      phone: (phone) => (phone.trim() === '' ? 'Enter the phone number.' : null),
      name: (name) => (name.trim() === '' ? 'Enter the name.' : null),
      consent: (consent) => (consent ? null : 'A booking needs the consent of the customer.'),
      service: (service) => (service === '' ? 'Select a service.' : null),
      start: (start) => (start === '' ? 'Select a time.' : null),
    },
  });
  const { values, setFieldValue } = form;
  const service = choices.services.find(({ id }) => id === values.service);
  const create = useMutation(
    trpc.bookings.create.mutationOptions({
      onError: ({ data }) => {
        for (const { path, message } of data?.fields ?? []) form.setFieldError(FIELDS[path] ?? path, message);
        if (data?.code === 'booking_unavailable') void queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
      },
      onSuccess: ({ reference }) => {
        notifications.show({ message: 'Booking made.' });
        void queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
        router.push(hrefOf(bookingHref(reference)));
      },
    }),
  );
  useLeaveWarning(form.isDirty() && !create.isSuccess);
  const choose = (id: string) => {
    const price = choices.services.find((one) => one.id === id)?.price;
    form.setValues({ service: id, price: price ? decimalText(price.amount, price.currency) : '' });
    setConfirmed([]);
  };
  const submit = form.onSubmit((sent) => {
    if (create.isPending || create.isSuccess) return;
    const price = service?.price && sent.price.trim() !== '' ? parseAmount(sent.price, service.price.currency) : null;
    if (service?.price && sent.price.trim() !== '' && price === null)
      return form.setFieldError('price', `Enter an amount in ${service.price.currency}.`);
    create.mutate({
      key,
      service_id: sent.service,
      location_id: locationId,
      specialist_id: sent.specialist || null,
      date: sent.date,
      start_time: sent.start,
      customer: { name: sent.name, phone: sent.phone, email: sent.email.trim() || null, consent_to_contact: true },
      note: sent.note,
      price_amount: price,
      confirmed,
    });
  });
  return (
    <form noValidate onSubmit={submit}>
      <Stack maw={1160}>
        <Section title="Customer" lead="Enter the number first: the name of a known customer is filled in.">
          <Customer form={form} />
        </Section>
        <Section title="Appointment" lead="Times are local to the location, and the same that partners see.">
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <NativeSelect
              label="Location"
              value={locationId}
              onChange={(event) => {
                form.setValues({ service: '', specialist: '', start: '', price: '' });
                setConfirmed([]);
                onLocation(event.currentTarget.value);
              }}
              data={choices.locations.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <NativeSelect
              label="Service"
              required
              {...form.getInputProps('service')}
              onChange={(event) => choose(event.currentTarget.value)}
              data={[
                {
                  value: '',
                  label: choices.services.length > 0 ? 'Select a service' : 'No service can be booked here',
                },
                ...choices.services.map(({ id, name, duration_minutes: minutes }) => ({
                  value: id,
                  label: `${name} · ${minutes} min`,
                })),
              ]}
            />
          </Group>
          {service && (
            <StartField
              wanted={{ service_id: service.id, location_id: locationId }}
              date={values.date}
              start={values.start}
              specialist={values.specialist}
              confirmed={confirmed}
              error={form.errors.start ?? form.errors.date ?? form.errors.specialist}
              onChange={(patch) => {
                setConfirmed([]);
                create.reset();
                form.setValues(patch);
              }}
              onConfirm={setConfirmed}
            />
          )}
        </Section>
        <Section title="Details" lead="The note is encrypted, shown with the contact, and erased with it.">
          {service?.price && (
            <TextInput
              label="Price"
              description="Per seat. The price of the service is filled in."
              leftSection={currencySign(service.price.currency)}
              leftSectionWidth={56}
              autoComplete="off"
              {...form.getInputProps('price')}
            />
          )}
          <Textarea
            label="Note"
            description="At most 500 characters. Partners never see it."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={500}
            {...form.getInputProps('note')}
            onChange={(event) => setFieldValue('note', event.currentTarget.value)}
          />
        </Section>
        {create.error && (
          <Alert color="red" role="alert">
            {PROBLEMS[create.error.data?.code ?? ''] ?? create.error.message}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={create.isPending || create.isSuccess}>
            Make booking
          </Button>
          <Button variant="default" component={Link} href="/bookings">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const PROBLEMS: Record<string, string> = {
  booking_unavailable: 'The booking was not made, because this time cannot be booked. Select another time.',
  idempotency_key_reused: 'This form has already made a booking. Check the list before you book again.',
};

/** Returns 32 random hexadecimal digits. `crypto.randomUUID` exists only on pages with HTTPS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type CustomerProps = {
  form: Pick<
    UseFormReturnType<Values>,
    'values' | 'getInputProps' | 'setFieldValue' | 'setFieldError' | 'clearFieldError'
  >;
};

/** The phone number, by which a known customer is found, the name, and the consent. */
function Customer({ form }: CustomerProps) {
  const trpc = useTRPC();
  const find = useMutation(
    trpc.bookings.find_customer.mutationOptions({
      gcTime: 0,
      onSuccess: ({ name, phone }) => {
        if (phone !== null) form.setFieldValue('phone', phone);
        if (name !== null) form.setFieldValue('name', name);
      },
    }),
  );
  const search = () => {
    const searched = readSearchedPhone(form.values.phone);
    if (!searched) return form.setFieldError('phone', 'Enter the full number, with the country code or the area code.');
    form.clearFieldError('phone');
    find.mutate(searched);
  };
  const known = find.data && (find.data.name === null ? 'No earlier booking with this number.' : 'Known customer.');
  return (
    <>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label="Phone number"
          type="tel"
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('phone')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={find.isPending ? 'Searching …' : (known ?? 'Each search is recorded in the audit log.')}
          onChange={(event) => {
            find.reset();
            form.setFieldValue('phone', event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            search();
          }}
          rightSection={
            <Button variant="subtle" size="compact-sm" loading={find.isPending} onClick={search}>
              Find customer
            </Button>
          }
          rightSectionWidth={130}
        />
      </Group>
      {find.error && (
        <Alert color="red" role="alert">
          {find.error.message}
        </Alert>
      )}
      <TextInput label="Name" required maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        label="Email"
        type="email"
        description="Optional. Encrypted, shown with the contact, and erased with it."
        maxLength={254}
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <Checkbox
        label="The customer agreed to be contacted about this appointment"
        {...form.getInputProps('consent', { type: 'checkbox' })}
      />
    </>
  );
}
