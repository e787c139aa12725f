'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTRPC } from '../../../_components/trpc';
import {
  changedParts,
  mergePolicies,
  type Part,
  type Policy,
  policyFrom,
  policyOf,
  valuesOf,
} from '../../_components/policy';
import type { ApplicationDetail } from '../../_components/types';
import { showServerErrors, submitPolicy, usePolicyForm } from '../../_components/use-policy-form';

/** What the form began with: a policy and its version. */
type Base = { version: number; policy: Policy };

const baseOf = (application: ApplicationDetail): Base => ({
  version: application.version,
  policy: policyOf(application),
});

/**
 * The editor of a policy: the form, what it began with, and what somebody else saved since. Nothing that was typed is
 * ever replaced without being asked for.
 */
export function usePolicyEditor(application: ApplicationDetail) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [base, setBase] = useState(() => baseOf(application));
  const [review, setReview] = useState<Policy | null>(null);
  const [both, setBoth] = useState<Part[]>([]);
  const form = usePolicyForm(base.policy);
  const { origin_draft: originDraft, network_draft: networkDraft } = form.values;
  const parts = changedParts(base.policy, policyFrom(form.values));
  const isDirty = parts.length > 0 || originDraft !== '' || networkDraft !== '';
  const isStale = application.version > base.version;

  const begin = (next: Base, values: Policy = next.policy) => {
    setBase(next);
    form.setValues(valuesOf(values));
    form.clearErrors();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version is a reason to begin anew.
  useEffect(() => {
    if (!isStale) return;
    const newest = baseOf(application);
    // Whoever has typed nothing simply sees the newest; the others are told, unless the policy is still the same.
    if (!isDirty) begin(newest);
    else if (changedParts(base.policy, newest.policy).length === 0) setBase(newest);
  }, [application.version]);

  const save = useMutation(
    trpc.applications.update.mutationOptions({
      onSuccess: ({ version }, { application_id: _, expected_version: __, ...policy }) => {
        begin({ version, policy });
        setReview(null);
        setBoth([]);
        notifications.show({ message: 'The policy is saved. It applies to every key within a second.' });
        return queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
      },
      onError: (error) => {
        const conflict = error.data?.code === 'version_conflict';
        if (conflict) void queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
        if (conflict || showServerErrors(form, error)) setReview(null);
      },
    }),
  );

  return {
    form,
    base,
    both,
    parts,
    review,
    isDirty,
    isStale: isStale && isDirty,
    save,
    openReview: () => {
      save.reset();
      setReview(submitPolicy(form));
    },
    closeReview: () => setReview(null),
    discard: () => begin(baseOf(application)),
    confirm: (policy: Policy) =>
      save.mutate({ application_id: application.id, expected_version: base.version, ...policy }),
    /** Takes over what was saved meanwhile; the parts that were changed here stay as they are. */
    takeOver: () => {
      const theirs = baseOf(application);
      const merged = mergePolicies(base.policy, policyFrom(form.values), theirs.policy);
      setBase(theirs);
      setBoth(merged.both);
      form.setValues({ ...valuesOf(merged.policy), origin_draft: originDraft, network_draft: networkDraft });
    },
  };
}
