'use client';

import { Autocomplete, Divider, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { languageLabel } from '@/app/_components/languages';
import { LanguagesField } from '@/app/_components/languages-field';
import { NewPasswordInput, passwordError } from '@/app/_components/sign-in/password-hint';
import { signInWith } from '@/app/_components/sign-in/use-sign-in';
import { canonicalName, type ZoneChoice, zoneProps } from '@/app/_components/zones';
import { SendForm, useSend } from '@/app/(auth)/_components/send-form';

/** The form that creates the business and its first owner. Submitting it also signs the owner in. */
export function SetupForm({ token, zones }: { token: string; zones: readonly ZoneChoice[] }) {
  const t = useTranslations('signIn');
  const format = useFormats();
  const { form, sending, submit } = useSetup(token, zones);
  const setZone = (name: string) => form.setFieldValue('time_zone', name);
  const { detailOf, ...zoneInput } = zoneProps(format, zones, form.values.time_zone, setZone);
  return (
    <SendForm sending={sending} onSubmit={submit} verb={t('setup.submit')}>
      <Text size="sm">{t('setup.lead')}</Text>
      <Divider label={t('setup.business')} labelPosition="left" />
      <TextInput
        label={t('setup.businessName')}
        autoComplete="organization"
        maxLength={200}
        required
        {...form.getInputProps('business_name')}
      />
      <Autocomplete
        label={t('setup.zone')}
        description={t('setup.zoneText')}
        {...zoneInput}
        renderOption={({ option }) => `${option.value} (${detailOf(option.value)})`}
        limit={20}
        required
        {...form.getInputProps('time_zone')}
      />
      <LanguagesField
        description={t('setup.languagesText', { language: languageLabel(format, form.values.locales[0] ?? 'en') })}
        required
        // Until it has the browser's language: the field would lose a text that is not yet a language.
        readOnly={!sending.ready}
        value={form.values.locales}
        error={form.errors.locales}
        onChange={(locales) => form.setFieldValue('locales', locales)}
      />
      <Divider label={t('setup.owner')} labelPosition="left" />
      <TextInput label={t('frame.name')} autoComplete="name" maxLength={200} required {...form.getInputProps('name')} />
      <TextInput
        label={t('frame.email')}
        type="email"
        autoComplete="username"
        maxLength={320}
        required
        {...form.getInputProps('email')}
      />
      <NewPasswordInput label={t('frame.password')} {...form.getInputProps('password')} />
    </SendForm>
  );
}

const EMPTY = {
  business_name: '',
  time_zone: '',
  locales: [] as string[],
  name: '',
  email: '',
  password: '',
};

function languageOf(tag: string): string {
  return /^[a-z]{2,3}(?=$|[-_@.])/i.exec(tag)?.[0].toLowerCase() ?? 'en';
}

function useSetup(token: string, zones: readonly ZoneChoice[]) {
  const t = useTranslations('signIn');
  const tPassword = useTranslations('common.password');
  const tSignIn = useTranslations('common.signIn');
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      business_name: (value) => (value.trim() ? null : t('setup.needBusinessName')),
      time_zone: (value) => (value ? null : t('setup.needZone')),
      locales: (value) => (value.length > 0 ? null : t('setup.needLanguage')),
      name: (value) => (value.trim() ? null : t('frame.needName')),
      email: (value) => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : t('frame.needEmail')),
      password: (value) => passwordError(tPassword, value),
    },
  });
  const { setValues } = form;
  // The default time zone and language come from the browser, because the server does not know them.
  useEffect(() => {
    setValues(({ time_zone }) => ({
      time_zone: time_zone || canonicalName(zones, Intl.DateTimeFormat().resolvedOptions().timeZone),
      locales: [languageOf(navigator.language)],
    }));
  }, [setValues, zones]);
  const sending = useSend(form, t('setup.ended'));
  const submit = form.onSubmit(async (values) => {
    if (!(await sending.run('/api/setup', { token, ...values }))) return;
    const signedIn = await signInWith({ email: values.email, password: values.password, tenant: null }, tSignIn);
    window.location.assign(signedIn.ok ? '/' : '/sign-in');
  });
  return { form, sending, submit };
}
