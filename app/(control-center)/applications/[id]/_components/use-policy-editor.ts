'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ApplicationDetail } from '../../../_components/api-types';
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
  const [base, setBase] = useState(() => baseOf(application));
  const [review, setReview] = useState<Policy | null>(null);
  const [both, setBoth] = useState<Part[]>([]);
  const form = usePolicyForm(base.policy);
  const { origin_draft, network_draft } = form.values;
  const parts = changedParts(base.policy, policyFrom(form.values));
  const isDirty = parts.length > 0 || `${origin_draft}${network_draft}` !== '';
  const isStale = application.version > base.version;
  const begin = (next: Base) => {
    setBase(next);
    setBoth([]);
    form.setValues(valuesOf(next.policy));
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

  const save = useSavePolicy({
    onSaved: (next) => {
      begin(next);
      setReview(null);
    },
    onRefused: (error) => {
      if (error.data?.code === 'version_conflict' || showServerErrors(form, error)) setReview(null);
    },
  });

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
      save.mutate({ ...policy, application_id: application.id, expected_version: base.version }),
    /** Takes over what was saved meanwhile; the parts that were changed here stay as they are. */
    takeOver: () => {
      const merged = mergePolicies(base.policy, policyFrom(form.values), policyOf(application));
      setBase(baseOf(application));
      setBoth(merged.both);
      form.setValues({ ...merged.policy, origin_draft, network_draft });
    },
  };
}

type Outcome = {
  onSaved: (saved: Base) => void;
  onRefused: (error: Parameters<typeof showServerErrors>[1] & { data?: { code?: string } | null }) => void;
};

/** Saves a policy, and sees to it that the pages show what is stored: after a refusal too. */
function useSavePolicy({ onSaved, onRefused }: Outcome) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
  return useMutation(
    trpc.applications.update.mutationOptions({
      onSuccess: ({ version }, { application_id: _, expected_version: __, ...policy }) => {
        onSaved({ version, policy });
        notifications.show({ message: 'The policy is saved. It applies to every key within a second.' });
        return refresh();
      },
      onError: (error) => {
        if (error.data?.code === 'version_conflict') void refresh();
        onRefused(error);
      },
    }),
  );
}
