'use client';

import { type UseFormReturnType, useForm } from '@mantine/form';
import { flushSync } from 'react-dom';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { takeEntries } from './entry-list-field';
import { networkProblem, originProblem } from './entry-rules';
import { type Policy, type PolicyValues, policyFrom, valuesOf } from './policy';

/** A policy's form. */
export type PolicyForm = UseFormReturnType<PolicyValues>;

/** Returns the form that edits a policy. Its values are validated with the same rules as on the server. */
export function usePolicyForm(initial: Policy): PolicyForm {
  return useForm<PolicyValues>({
    mode: 'controlled',
    initialValues: valuesOf(initial),
    validate: {
      name: (value) => {
        const name = trimName(value);
        if (name === '') return 'Enter a name.';
        const problem = nameProblem(name, 200);
        return problem === null ? null : `This ${problem}.`;
      },
      origins: (_, { origin_draft: draft }) => draftProblem(draft, originProblem),
      networks: (_, { network_draft: draft }) => draftProblem(draft, networkProblem),
      quota: (value) => {
        const quota = Number(value);
        const whole = value !== '' && Number.isInteger(quota) && quota >= 1 && quota <= 1_000_000;
        return whole ? null : 'Enter a whole number from 1 to 1,000,000.';
      },
    },
  });
}

function draftProblem(draft: string, rule: (text: string) => string | null): string | null {
  const text = draft.trim();
  return text === '' ? null : (rule(text) ?? 'Add this entry or clear the field.');
}

/**
 * Validates the form. Text that is left in the inputs for origins and networks is first added to their entries. Returns
 * the policy, or null if a field is invalid. In that case, each invalid field shows its error, and the first invalid
 * field receives the focus.
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

/** The error of a call that the server refused, with the invalid fields if there are any. */
type ServerError = { data?: { fields?: { path: string; message: string }[] } | null };

/** Shows each of the server's errors at its field. Returns whether there were any errors. */
export function showServerErrors(form: PolicyForm, error: ServerError): boolean {
  const fields = error.data?.fields ?? [];
  // Outside of React event handlers, React may postpone rendering. Without `flushSync`, `focusFirstError` would run
  // before the fields are marked as invalid.
  flushSync(() => {
    for (const { path, message } of fields) {
      // An error in a list entry, such as `networks.2`, is shown at the list's field.
      form.setFieldError(path.split('.')[0] ?? path, `This ${message}.`);
    }
  });
  if (fields.length > 0) focusFirstError();
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
