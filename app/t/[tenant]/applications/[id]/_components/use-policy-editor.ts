'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
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

/** The policy that the form started from, and its version. */
type Base = { version: number; policy: Policy };

const baseOf = (application: ApplicationDetail): Base => ({
  version: application.version,
  policy: policyOf(application),
});

/**
 * Returns the state of the policy editor: the form, the policy that the form started from, and whether a newer version
 * has been saved. Unsaved input is replaced only at the user's request.
 */
export function usePolicyEditor(application: ApplicationDetail) {
  const common = useTranslations('common');
  const entries = useTranslations('applications.entries');
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version resets the form.
  useEffect(() => {
    if (!isStale) return;
    const newest = baseOf(application);
    // A form without changes shows the newest version. A form with changes keeps them, and a notice says that a newer
    // version exists. There is no notice if the newer version has the same policy as the version in `base`.
    if (!isDirty) begin(newest);
    else if (changedParts(base.policy, newest.policy).length === 0) setBase(newest);
  }, [application.version]);

  const save = useSavePolicy({
    onSaved: (next) => {
      begin(next);
      setReview(null);
    },
    onRefused: (error) => {
      if (error.data?.code === 'version_conflict' || showServerErrors(common, form, error)) setReview(null);
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
      setReview(submitPolicy(entries, form));
    },
    closeReview: () => setReview(null),
    discard: () => begin(baseOf(application)),
    confirm: (policy: Policy) =>
      save.mutate({ ...policy, application_id: application.id, expected_version: base.version }),
    /** Merges the newest saved version into the form. The parts that the user changed keep the user's values. */
    rebase: () => {
      const merged = mergePolicies(base.policy, policyFrom(form.values), policyOf(application));
      setBase(baseOf(application));
      setBoth(merged.both);
      form.setValues({ ...merged.policy, origin_draft, network_draft });
    },
  };
}

type Outcome = {
  onSaved: (saved: Base) => void;
  onRefused: (error: Parameters<typeof showServerErrors>[2] & { data?: { code?: string } | null }) => void;
};

/**
 * Returns the mutation that saves a policy. On success and after a version conflict, the mutation reloads the
 * applications.
 */
function useSavePolicy({ onSaved, onRefused }: Outcome) {
  const t = useTranslations('applications.editor');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
  return useMutation(
    trpc.applications.update.mutationOptions({
      onSuccess: ({ version }, { application_id: _, expected_version: __, ...policy }) => {
        onSaved({ version, policy });
        notifications.show({ message: t('saved') });
        return refresh();
      },
      onError: (error) => {
        if (error.data?.code === 'version_conflict') void refresh();
        onRefused(error);
      },
    }),
  );
}
