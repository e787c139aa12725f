'use client';

import { Alert, Autocomplete, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { languageLabel } from '@/app/_components/languages';
import { LanguagesField } from '@/app/_components/languages-field';
import { passwordHint } from '@/app/_components/password-hint';
import { type ZoneChoice, zoneProps } from '@/app/_components/zones';
import { useSetup } from './use-setup';

/** The form that creates the business and its first owner. Submitting it also signs the owner in. */
export function SetupForm({ token, zones }: { token: string; zones: readonly ZoneChoice[] }) {
  const t = useTranslations('signIn');
  const tPassword = useTranslations('common.password');
  const format = useFormats();
  const { form, problem, busy, submit } = useSetup(token, zones);
  const setZone = (name: string) => form.setFieldValue('time_zone', name);
  const { detailOf, ...zoneInput } = zoneProps(format, zones, form.values.time_zone, setZone);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <Text size="sm">{t('setup.lead')}</Text>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
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
          value={form.values.locales}
          error={form.errors.locales}
          onChange={(locales) => form.setFieldValue('locales', locales)}
        />
        <Divider label={t('setup.owner')} labelPosition="left" />
        <TextInput
          label={t('frame.name')}
          autoComplete="name"
          maxLength={200}
          required
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('frame.email')}
          type="email"
          autoComplete="username"
          maxLength={320}
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('frame.password')}
          description={passwordHint(tPassword)}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': tPassword('toggle') }}
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          {t('setup.submit')}
        </Button>
      </Stack>
    </form>
  );
}
