'use client';

import { Grid, NumberInput, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
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
      <Section title="Name" lead="How you and your colleagues tell it apart. Partners do not see it.">
        <TextInput label="Name" maxLength={200} required {...form.getInputProps('name')} />
      </Section>
      <Section title="What it may do" lead="Each scope opens the routes named with it; everything else is refused.">
        <ScopeField value={form.values.scopes} onChange={(scopes) => form.setFieldValue('scopes', scopes)} />
      </Section>
      <Section title="Where" lead="It sees and books only services offered at these locations.">
        <LocationField form={form} />
      </Section>
      <Section
        title="From where"
        lead="Both are optional. A request from elsewhere is answered with 403 and counts against the caller’s address."
      >
        <Networks form={form} />
        <Origins form={form} />
      </Section>
      <Section title="How often" lead="Above that it is answered with 429 and told when to come back.">
        <NumberInput
          label="Requests per minute"
          description="Over all its keys together."
          min={1}
          max={1_000_000}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          maw={240}
          required
          {...form.getInputProps('quota')}
        />
      </Section>
    </Stack>
  );
}

/** One part of a form: what it is about at the side, its fields on a surface of their own. */
export function Section({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'lg' }} bg="var(--app-surface)">
      <Grid gap={{ base: 'md', md: 'xl' }}>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {lead && (
            <Text size="sm" c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">{children}</Stack>
        </Grid.Col>
      </Grid>
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
