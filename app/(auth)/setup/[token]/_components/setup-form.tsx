'use client';

import { Alert, Autocomplete, Button, Divider, PasswordInput, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useMemo } from 'react';
import { useSetup } from './use-setup';

/** The business and its first owner, in one form; then straight in. */
export function SetupForm({ token }: { token: string }) {
  const { form, problem, busy, submit } = useSetup(token);
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  // Sent before the page's script runs, it would be the browser that sends it.
  const ready = useMounted();
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <Text size="sm">This is a new LIVE deployment. Nobody but you can do this: the link works once.</Text>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Divider label="The business" labelPosition="left" />
        <TextInput
          label="Name of the business"
          autoComplete="organization"
          maxLength={200}
          required
          {...form.getInputProps('business_name')}
        />
        <Autocomplete
          label="Time zone"
          description="Where the business is. Each location has one of its own, too."
          data={zones}
          limit={20}
          required
          {...form.getInputProps('time_zone')}
        />
        <TagsInput
          label="Languages"
          description="Tags such as de or pt-BR. Texts can be kept in each; answers fall back to the first."
          maxTags={50}
          required
          {...form.getInputProps('locales')}
        />
        <Divider label="You, its owner" labelPosition="left" />
        <TextInput label="Your name" autoComplete="name" maxLength={200} required {...form.getInputProps('name')} />
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          maxLength={320}
          required
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          description="At least 12 characters."
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what is typed' }}
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} disabled={!ready} fullWidth>
          Create the Control Center
        </Button>
      </Stack>
    </form>
  );
}
