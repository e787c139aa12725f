'use client';

import { Alert, Autocomplete, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { languageLabel } from '@/app/_components/languages';
import { LanguagesField } from '@/app/_components/languages-field';
import { PASSWORD_HINT } from '@/app/_components/password-hint';
import { type ZoneChoice, zoneProps } from '@/app/_components/zones';
import { useSetup } from './use-setup';

/** The form that creates the business and its first owner. Submitting it also signs the owner in. */
export function SetupForm({ token, zones }: { token: string; zones: readonly ZoneChoice[] }) {
  const { form, problem, busy, submit } = useSetup(token, zones);
  const setZone = (name: string) => form.setFieldValue('time_zone', name);
  const { detailOf, ...zoneInput } = zoneProps(zones, form.values.time_zone, setZone);
  // The button is disabled until hydration, because an earlier click would submit the form without JavaScript.
  const ready = useMounted();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <Text size="sm">Set up this new LIVE deployment. This link works only once.</Text>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Divider label="Business" labelPosition="left" />
        <TextInput
          label="Business name"
          autoComplete="organization"
          maxLength={200}
          required
          {...form.getInputProps('business_name')}
        />
        <Autocomplete
          label="Time zone"
          description="The time zone of the business. Each location has its own time zone."
          {...zoneInput}
          renderOption={({ option }) => `${option.value} (${detailOf(option.value)})`}
          limit={20}
          required
          {...form.getInputProps('time_zone')}
        />
        <LanguagesField
          description={`Customers read the catalog in these languages. Text without a translation appears in ${languageLabel(form.values.locales[0] ?? 'en')}, the first one. It can change only until you publish something.`}
          required
          value={form.values.locales}
          error={form.errors.locales}
          onChange={(locales) => form.setFieldValue('locales', locales)}
        />
        <Divider label="Owner account" labelPosition="left" />
        <TextInput label="Your name" autoComplete="name" maxLength={200} required {...form.getInputProps('name')} />
        <TextInput
          label="Email address"
          type="email"
          autoComplete="username"
          maxLength={320}
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Create Control Center
        </Button>
      </Stack>
    </form>
  );
}
