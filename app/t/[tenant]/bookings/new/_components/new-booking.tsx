'use client';

import { Button, Checkbox, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import { Form } from '../../../_components/forms/form';
import { Problem } from '../../../_components/forms/form-end';
import { Section } from '../../../_components/forms/form-section';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { EmptyState, NotLoaded } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { formatMinutes } from '../../../catalog/_components/fields/duration';
import { amountText, currencySign, parseAmount } from '../../../catalog/_components/prices/money';
import { useToday } from '../../_components/day-stepper';
import { readSearchedPhone } from '../../_components/list/phone';
import { bookingHref, type NewBookingQuery } from '../../_components/query';
import { useRememberLocation } from '../../_components/schedule/use-schedule';
import type { BrokenRule, NewChoices } from '../../_components/types';
import { StartField } from './start-field';

/** Makes a booking of the business. `preset` is what the URL states, such as the time that was clicked in a schedule. */
export function NewBooking({ preset }: { preset: NewBookingQuery }) {
  const t = useTranslations('bookings.new');
  const trpc = useTRPC();
  const today = useToday();
  const [location, setLocation] = useState(preset.location);
  const remember = useRememberLocation();
  const select = (id: string) => {
    setLocation(id);
    remember(id);
  };
  const choices = useQuery(trpc.bookings.new_choices.queryOptions({ location_id: location }));
  if (choices.isError || !choices.data || today === null) return <NotLoaded query={choices} rows={6} height={60} />;
  if (choices.data.locations.length === 0)
    return <EmptyState title={t('noLocations')}>{t('noLocationsHint')}</EmptyState>;
  return <BookingForm choices={choices.data} preset={{ ...preset, date: preset.date ?? today }} onLocation={select} />;
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

function BookingForm({ choices, preset, onLocation }: FormProps) {
  const t = useTranslations('bookings.new');
  const format = useFormats();
  const { language } = format;
  const trpc = useTRPC();
  const done = useDone(trpc.bookings);
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
      phone: (phone) => (phone.trim() === '' ? t('errors.phone') : null),
      name: (name) => (name.trim() === '' ? t('errors.name') : null),
      consent: (consent) => (consent ? null : t('errors.consent')),
      service: (service) => (service === '' ? t('errors.service') : null),
      start: (start) => (start === '' ? t('errors.start') : null),
    },
  });
  const { values, setFieldValue } = form;
  const service = choices.services.find(({ id }) => id === values.service);
  const create = useMutation(
    trpc.bookings.create.mutationOptions({
      onError: ({ data }) => {
        for (const { path, message } of data?.fields ?? []) form.setFieldError(FIELDS[path] ?? path, message);
        if (data?.code === 'booking_unavailable') void done();
      },
      onSuccess: ({ reference }) => {
        void done(t('done'));
        router.push(hrefOf(bookingHref(reference)));
      },
    }),
  );
  useLeaveWarning(form.isDirty() && !create.isSuccess);
  const choose = (id: string) => {
    const price = choices.services.find((one) => one.id === id)?.price;
    form.setValues({ service: id, price: price ? amountText(price.amount, price.currency, language) : '' });
    setConfirmed([]);
  };
  const submit = form.onSubmit((sent) => {
    if (create.isPending || create.isSuccess) return;
    const price =
      service?.price && sent.price.trim() !== '' ? parseAmount(sent.price, service.price.currency, language) : null;
    if (service?.price && sent.price.trim() !== '' && price === null)
      return form.setFieldError('price', t('errors.price', { currency: service.price.currency }));
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
    <Form busy={create.isPending || create.isSuccess} onSubmit={submit}>
      <Stack maw={1160}>
        <Section title={t('customer.title')} lead={t('customer.lead')}>
          <Customer form={form} />
        </Section>
        <Section title={t('appointment.title')} lead={t('appointment.lead')}>
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <NativeSelect
              label={t('appointment.location')}
              value={locationId}
              onChange={(event) => {
                form.setValues({ service: '', specialist: '', start: '', price: '' });
                setConfirmed([]);
                onLocation(event.currentTarget.value);
              }}
              data={choices.locations.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <NativeSelect
              label={t('appointment.service')}
              required
              {...form.getInputProps('service')}
              onChange={(event) => choose(event.currentTarget.value)}
              data={[
                {
                  value: '',
                  label: t(choices.services.length > 0 ? 'appointment.select' : 'appointment.noService'),
                },
                ...choices.services.map(({ id, name, duration_minutes: minutes }) => ({
                  value: id,
                  label: `${name} · ${formatMinutes(minutes, format)}`,
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
        <Section title={t('details.title')} lead={t('details.lead')}>
          {service?.price && (
            <TextInput
              label={t('details.price')}
              description={t('details.priceHint')}
              leftSection={currencySign(service.price.currency)}
              leftSectionWidth={56}
              autoComplete="off"
              {...form.getInputProps('price')}
            />
          )}
          <Textarea
            label={t('details.note')}
            description={t('details.noteHint')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={500}
            {...form.getInputProps('note')}
            onChange={(event) => setFieldValue('note', event.currentTarget.value)}
          />
        </Section>
        <Problem error={create.error && problemOf(t, create.error)} />
        <Group>
          <Button type="submit" loading={create.isPending || create.isSuccess}>
            {t('go')}
          </Button>
          <Button variant="default" component={Link} href="/bookings">
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

type Failure = { message: string; data?: { code?: string } | null };

function problemOf(t: Translator<'bookings.new'>, { message, data }: Failure): string {
  const code = data?.code;
  return code === 'booking_unavailable' || code === 'idempotency_key_reused' ? t(`problems.${code}`) : message;
}

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

function Customer({ form }: CustomerProps) {
  const t = useTranslations('bookings.new');
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
    if (!searched) return form.setFieldError('phone', t('errors.fullPhone'));
    form.clearFieldError('phone');
    find.mutate(searched);
  };
  const known = find.data && t(find.data.name === null ? 'customer.unknown' : 'customer.known');
  return (
    <>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('customer.phone')}
          type="tel"
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('phone')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={find.isPending ? t('customer.searching') : (known ?? t('customer.recorded'))}
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
              {t('customer.find')}
            </Button>
          }
          rightSectionWidth={130}
        />
      </Group>
      <Problem error={find.error} />
      <TextInput
        label={t('customer.name')}
        required
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <TextInput
        label={t('customer.email')}
        type="email"
        description={t('customer.emailHint')}
        maxLength={254}
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <Checkbox label={t('customer.consent')} {...form.getInputProps('consent', { type: 'checkbox' })} />
    </>
  );
}
