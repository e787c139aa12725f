'use client';

import { Checkbox, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { flushSync } from 'react-dom';
import type { EventType } from '../../../../_components/api-types';
import { EVENT_TEXTS, EVENT_TYPES } from './words';

/** What an endpoint is set up with. */
export type EndpointValues = { url: string; event_types: EventType[] };

/** The form of an endpoint. What else is wrong with an address is said by the server, which also asks where it leads. */
export function useEndpointForm(initialValues: EndpointValues) {
  return useForm<EndpointValues>({
    mode: 'controlled',
    initialValues,
    validate: {
      url: (value) => (value.trim() === '' ? 'Write the URL that receives the events.' : null),
      event_types: (value) => (value.length === 0 ? 'Choose at least one type.' : null),
    },
  });
}

type EndpointForm = UseFormReturnType<EndpointValues>;

/** URL and event types. */
export function EndpointFields({ form }: { form: EndpointForm }) {
  const { value, onChange, error } = form.getInputProps('event_types');
  return (
    <Stack>
      <TextInput
        label="URL"
        description="On the public internet, https. It answers any 2xx within 15 seconds; redirects are not followed."
        placeholder="https://partner.example/webhooks"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label="Event types" required value={value} onChange={onChange} error={error}>
        <Stack gap="xs" my="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} description={EVENT_TEXTS[type]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}

type ServerError = { data?: { fields?: { path: string; message: string }[] } | null } | null;

/** Puts what the server found wrong at the fields, the first of them in focus; tells whether it named one. */
export function showServerErrors(form: EndpointForm, error: ServerError): boolean {
  const fields = error?.data?.fields ?? [];
  // An answer comes outside of any event: without this the field would be marked after the focus looked for it.
  flushSync(() => {
    for (const { path, message } of fields) form.setFieldError(path.split('.')[0] ?? path, `This ${message}.`);
  });
  if (fields.length > 0) {
    // After the render that marks the fields.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=dialog] [aria-invalid="true"]')?.focus());
  }
  return fields.length > 0;
}
