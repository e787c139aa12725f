'use client';

import { type UseFormReturnType, useForm } from '@mantine/form';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { nameFlaw, trimName } from '@/lib/platform/text/name';
import { takeEntries } from './entry-list-field';
import { type EntriesTranslator, networkProblem, originProblem } from './entry-rules';
import { type Policy, type PolicyValues, policyFrom, valuesOf } from './policy';

/** A policy's form. */
export type PolicyForm = UseFormReturnType<PolicyValues>;

/** Returns the form that edits a policy. Its values are validated with the same rules as on the server. */
export function usePolicyForm(initial: Policy): PolicyForm {
  const t = useTranslations('applications.form');
  const flaws = useTranslations('applications.nameFlaws');
  const entries = useTranslations('applications.entries');
  const problemOf = (draft: string, rule: (text: string) => string | null) => {
    const text = draft.trim();
    return text === '' ? null : (rule(text) ?? t('addOrClear'));
  };
  return useForm<PolicyValues>({
    mode: 'controlled',
    initialValues: valuesOf(initial),
    validate: {
      name: (value) => {
        const name = trimName(value);
        if (name === '') return t('enterName');
        const flaw = nameFlaw(name, 200);
        return flaw && flaws(flaw, { max: 200 });
      },
      origins: (_, { origin_draft: draft }) => problemOf(draft, (text) => originProblem(entries, text)),
      networks: (_, { network_draft: draft }) => problemOf(draft, (text) => networkProblem(entries, text)),
      quota: (value) => {
        const quota = Number(value);
        const whole = value !== '' && Number.isInteger(quota) && quota >= 1 && quota <= 1_000_000;
        return whole ? null : t('enterQuota');
      },
    },
  });
}

/**
 * Validates the form. Text that is left in the inputs for origins and networks is first added to their entries. Returns
 * the policy, or null if a field is invalid. In that case, each invalid field shows its error, and the first invalid
 * field receives the focus.
 */
export function submitPolicy(t: EntriesTranslator, form: PolicyForm): Policy | null {
  const values = form.getValues();
  const origins = takeEntries(t, values.origin_draft, values.origins, (text) => originProblem(t, text));
  const networks = takeEntries(t, values.network_draft, values.networks, (text) => networkProblem(t, text));
  const next = {
    ...values,
    origins: [...values.origins, ...origins.added],
    networks: [...values.networks, ...networks.added],
    origin_draft: origins.left,
    network_draft: networks.left,
  };
  form.setValues(next);
  const { hasErrors } = form.validate();
  if (!hasErrors) return policyFrom(next);
  focusFirstError();
  return null;
}

type ServerError = { data?: { fields?: { path: string; message: string }[] } | null };

/** Shows each of the server's errors at its field; `Form` then focuses the first one. Returns whether there were any errors. */
export function showServerErrors(t: Translator<'common'>, form: PolicyForm, error: ServerError): boolean {
  const fields = error.data?.fields ?? [];
  // Outside of React event handlers, React may postpone rendering. Without `flushSync`, the focus would move before the
  // fields are marked as invalid.
  flushSync(() => {
    for (const { path, message } of fields) {
      // An error in a list entry, such as `networks.2`, is shown at the list's field.
      form.setFieldError(path.split('.')[0] ?? path, t('fieldProblem', { message }));
    }
  });
  return fields.length > 0;
}

function focusFirstError(): void {
  // Waits for the render that marks the fields as invalid.
  requestAnimationFrame(() => firstInvalid()?.focus());
}

/** Returns the first field that is marked as invalid. */
export function firstInvalid(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main [aria-invalid="true"]');
}
