'use client';

import { type UseFormReturnType, useForm } from '@mantine/form';
import { flushSync } from 'react-dom';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { takeEntries } from './entry-list-field';
import { networkProblem, originProblem } from './entry-rules';
import { type Policy, type PolicyValues, policyFrom, valuesOf } from './policy';

/** The form of a policy. */
export type PolicyForm = UseFormReturnType<PolicyValues>;

/** Returns the form of a policy, with the rules that the server has too. */
export function usePolicyForm(initial: Policy): PolicyForm {
  return useForm<PolicyValues>({
    mode: 'controlled',
    initialValues: valuesOf(initial),
    validate: {
      name: (value) => {
        const name = trimName(value);
        if (name === '') return 'Give the application a name.';
        const problem = nameProblem(name, 200);
        return problem === null ? null : `This ${problem}.`;
      },
      origins: (_, { origin_draft: draft }) => leftOver(draft, originProblem),
      networks: (_, { network_draft: draft }) => leftOver(draft, networkProblem),
      quota: (value) => {
        const quota = Number(value);
        const whole = value !== '' && Number.isInteger(quota) && quota >= 1 && quota <= 1_000_000;
        return whole ? null : 'Write a whole number from 1 to 1,000,000.';
      },
    },
  });
}

function leftOver(draft: string, rule: (text: string) => string | null): string | null {
  const text = draft.trim();
  return text === '' ? null : (rule(text) ?? 'Add this to the list, or clear it.');
}

/**
 * Adds what is typed but not added yet, checks everything, and returns the policy; or null, with the errors at their
 * fields and the first of them in focus.
 */
export function submitPolicy(form: PolicyForm): Policy | null {
  const values = form.getValues();
  const origins = takeEntries(values.origin_draft, values.origins, originProblem);
  const networks = takeEntries(values.network_draft, values.networks, networkProblem);
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

/** What the server says of a refused input. */
type ServerError = { data?: { fields?: { path: string; message: string }[] } | null };

/** Puts what the server found wrong at the fields; tells whether it named one. */
export function showServerErrors(form: PolicyForm, error: ServerError): boolean {
  const fields = error.data?.fields ?? [];
  // An answer comes outside of any event: without this the fields would be marked after the focus looked for them.
  flushSync(() => {
    for (const { path, message } of fields) {
      // The lists answer with the place of an entry, such as networks.2; the form has one field for the list.
      form.setFieldError(path.split('.')[0] ?? path, `This ${message}.`);
    }
  });
  if (fields.length > 0) focusFirstError();
  return fields.length > 0;
}

function focusFirstError(): void {
  // After the render that marks the fields.
  requestAnimationFrame(() => firstInvalid()?.focus());
}

/** Returns the first field that is marked as wrong. */
export function firstInvalid(): HTMLElement | null {
  return document.querySelector<HTMLElement>('main [aria-invalid="true"]');
}
