'use client';

import { NumberInput, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { EntryListField } from './entry-list-field';
import { networkExtent, networkProblem, originProblem } from './entry-rules';
import { LocationField } from './location-field';
import { ScopeField } from './scope-field';
import type { PolicyForm } from './use-policy-form';

/** The fields of a policy: what an application may do, where, from where, and how often. */
export function PolicyFields({ form }: { form: PolicyForm }) {
  return (
    <Stack gap="md">
      <Section title="Name">
        <TextInput
          label="Name"
          description="How you and your colleagues tell it apart. Partners do not see it."
          maxLength={200}
          required
          {...form.getInputProps('name')}
        />
      </Section>
      <Section title="What it may do">
        <ScopeField value={form.values.scopes} onChange={(scopes) => form.setFieldValue('scopes', scopes)} />
      </Section>
      <Section title="Where">
        <LocationField form={form} />
      </Section>
      <Section
        title="From where"
        lead="Both are optional. What is refused here is answered with 403 and counts against the caller’s address."
      >
        <Networks form={form} />
        <Origins form={form} />
      </Section>
      <Section title="How often">
        <NumberInput
          label="Requests per minute"
          description="Over all its keys together. Above that it is answered with 429 and told when to come back."
          min={1}
          max={1_000_000}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          w={240}
          required
          {...form.getInputProps('quota')}
        />
      </Section>
    </Stack>
  );
}

/** One part of a form, on a surface of its own. */
export function Section({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} bg="var(--app-surface)">
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Paper>
  );
}

function Networks({ form }: { form: PolicyForm }) {
  return (
    <EntryListField
      label="Allowed networks"
      description="Addresses and ranges of the partner’s servers. Several can be pasted at once."
      whenEmpty="No restriction: requests from any address are let in."
      placeholder="203.0.113.0/24"
      entries={form.values.networks}
      draft={form.values.network_draft}
      error={form.errors.networks}
      rule={networkProblem}
      explain={networkExtent}
      onEntries={(entries) => form.setFieldValue('networks', entries)}
      onDraft={(draft) => form.setFieldValue('network_draft', draft)}
    />
  );
}

function Origins({ form }: { form: PolicyForm }) {
  return (
    <EntryListField
      label="Allowed origins"
      description="Only requests whose Origin header is one of these. Servers send none unless they are told to."
      whenEmpty="No restriction: requests with any origin, or none, are let in."
      placeholder="https://partner.example"
      entries={form.values.origins}
      draft={form.values.origin_draft}
      error={form.errors.origins}
      rule={originProblem}
      onEntries={(entries) => form.setFieldValue('origins', entries)}
      onDraft={(draft) => form.setFieldValue('origin_draft', draft)}
    />
  );
}
