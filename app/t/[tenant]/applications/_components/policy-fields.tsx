'use client';

import { NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../_components/forms/form-section';
import { EntryListField } from './entry-list-field';
import { networkExtent, networkProblem, originProblem } from './entry-rules';
import { LocationField } from './location-field';
import { ScopeField } from './scope-field';
import type { PolicyForm } from './use-policy-form';

type Props = {
  form: PolicyForm;
  /** The presets, shown above the scopes. They are a prop so that only the page of a new application loads them. */
  presets?: ReactNode;
};

/** A policy's fields: name, permissions, locations, network access, rate limit, and agents. */
export function PolicyFields({ form, presets }: Props) {
  return (
    <Stack gap="md">
      <Section title="Name" lead="Identifies the application in the Control Center. The partner reads it with GET /me.">
        <TextInput label="Name" maxLength={200} required {...form.getInputProps('name')} />
      </Section>
      <Section
        title="Permissions"
        lead="Select what the application may do. Each scope lists the routes that it allows. All other routes are refused, except GET /me."
      >
        {presets}
        <ScopeField value={form.values.scopes} onChange={(scopes) => form.setFieldValue('scopes', scopes)} />
      </Section>
      <Section title="Locations" lead="The application can view and book services at these locations only.">
        <LocationField form={form} />
      </Section>
      <Section
        title="Network access"
        lead="Optional. Requests from other networks or origins get a 403 response and count toward the rate limit for their IP address."
      >
        <Networks form={form} />
        <Origins form={form} />
      </Section>
      <Section title="Rate limit" lead="Requests above the limit get a 429 response with a Retry-After header.">
        <NumberInput
          label="Requests per minute"
          description="Shared by all keys of the application."
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
      <Section
        title="Agents"
        lead="An agent is a program with a language model that books for a person, through the MCP server of the partner."
      >
        <Switch
          label="Agents must ask a person before they book or change"
          description="A rule for agents, not a protection: the API cannot tell an agent from another program that has the key."
          {...form.getInputProps('agents_ask', { type: 'checkbox' })}
        />
      </Section>
    </Stack>
  );
}

function Networks({ form }: { form: PolicyForm }) {
  return (
    <EntryListField
      label="Allowed networks"
      description="IP addresses and ranges of the partner’s servers. You can paste several at once."
      whenEmpty="No restriction: requests from any address are allowed."
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
      description="Only requests with one of these Origin headers are allowed. Servers usually do not send an Origin header."
      whenEmpty="No restriction: requests with any origin, or with no Origin header, are allowed."
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
