'use client';

import { Checkbox, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { EventType } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { EVENT_TYPES } from './words';

/** The values of an endpoint's form. */
export type EndpointValues = { url: string; event_types: EventType[] };

/**
 * Returns an endpoint's form. The form checks only that the user has entered a URL and selected an event type. The
 * server validates the URL and resolves its host name.
 */
export function useEndpointForm(initialValues: EndpointValues) {
  const t = useTranslations('webhooks.fields');
  return useForm<EndpointValues>({
    mode: 'controlled',
    initialValues,
    validate: {
      url: (value) => (value.trim() === '' ? t('enterUrl') : null),
      event_types: (value) => (value.length === 0 ? t('selectType') : null),
    },
  });
}

type EndpointForm = UseFormReturnType<EndpointValues>;

/** The fields for the URL and the event types. */
export function EndpointFields({ form }: { form: EndpointForm }) {
  const t = useTranslations('webhooks.fields');
  const events = useTranslations('webhooks.events');
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  const { value, onChange, error } = form.getInputProps('event_types');
  return (
    <Stack>
      <TextInput
        label={t('url')}
        description={me.data?.allows_loopback ? t('helpLoopback') : t('help')}
        placeholder="https://partner.example/webhooks"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={t('types')} required value={value} onChange={onChange} error={error}>
        <Stack gap="xs" my="xs">
          {EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} description={events(type)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}

type ServerError = { data?: { fields?: { path: string; message: string }[] } | null } | null;

/**
 * Shows the server's errors next to the invalid fields, and focuses the first of these fields. Returns whether the
 * server reported any invalid fields.
 */
export function showServerErrors(t: Translator<'common'>, form: EndpointForm, error: ServerError): boolean {
  const fields = error?.data?.fields ?? [];
  // Outside of React event handlers, React may postpone rendering. Without `flushSync`, the focus would move before the
  // fields are marked as invalid.
  flushSync(() => {
    for (const { path, message } of fields)
      form.setFieldError(path.split('.')[0] ?? path, t('fieldProblem', { message }));
  });
  if (fields.length > 0) {
    // Waits for the render that marks the fields as invalid.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role=dialog] [aria-invalid="true"]')?.focus());
  }
  return fields.length > 0;
}
