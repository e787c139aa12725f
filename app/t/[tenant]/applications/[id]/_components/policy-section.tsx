'use client';

import { Alert, Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Form } from '../../../_components/forms/form';
import { Section } from '../../../_components/forms/form-section';
import { SaveBar } from '../../../_components/forms/save-bar';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import styles from '../../_components/applications.module.css';
import {
  changedParts,
  mergePolicies,
  type Part,
  type Policy,
  policyFrom,
  policyOf,
  valuesOf,
} from '../../_components/policy/policy';
import { PolicyFields } from '../../_components/policy/policy-fields';
import { ScopeText } from '../../_components/policy/scope-field';
import { showServerErrors, submitPolicy, usePolicyForm } from '../../_components/policy/use-policy-form';

const OwnSystemSection = dynamic(() => import('./own-system-section').then((module) => module.OwnSystemSection), {
  ssr: false,
});

/** Shows an application's policy. Only owners can edit it. */
export function PolicySection({ id, canEdit }: { id: string; canEdit: boolean }) {
  const trpc = useTRPC();
  // A failed query needs no error message here, because the frame around this page shows one.
  const { data } = useQuery(trpc.applications.get.queryOptions({ application_id: id }));
  if (!data) return <PolicySkeleton />;
  return (
    <Stack gap="md" maw={1160}>
      {canEdit ? <PolicyEditor application={data} /> : <PolicyView application={data} />}
      <OwnSystemSection application={data} canEdit={canEdit} />
    </Stack>
  );
}

function PolicySkeleton() {
  const t = useTranslations('applications.editor');
  return (
    <Stack gap="md" maw={1160} aria-busy="true" role="status" aria-label={t('loading')}>
      <Skeleton height={156} />
      <Skeleton height={420} />
      <Skeleton height={180} />
      <Skeleton height={320} />
    </Stack>
  );
}

function PolicyView({ application }: { application: ApplicationDetail }) {
  const t = useTranslations('applications.view');
  const { scopes, origins, networks, quota, agents_ask } = application;
  return (
    <Stack gap="md" maw={1160}>
      <Section title={t('permissions')}>
        {scopes.length === 0 && <Text size="sm">{t('noScopes')}</Text>}
        {scopes.map((scope) => (
          <ScopeText key={scope} scope={scope} />
        ))}
      </Section>
      <Section title={t('locations')}>
        <PolicyLocations application={application} />
      </Section>
      <Section title={t('network')}>
        <Entries title={t('networks')} entries={networks} whenEmpty={t('anyNetwork')} />
        <Entries title={t('origins')} entries={origins} whenEmpty={t('anyOrigin')} />
      </Section>
      <Section title={t('rate')}>
        <Text size="sm">{t('quota', { count: quota })}</Text>
      </Section>
      <Section title={t('agents')}>
        <Text size="sm">{agents_ask ? t('ask') : t('alone')}</Text>
      </Section>
    </Stack>
  );
}

function PolicyLocations({
  application: { all_locations: all, location_ids: ids },
}: {
  application: ApplicationDetail;
}) {
  const t = useTranslations('applications.view');
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.locations.list.queryOptions(), enabled: !all });
  if (all) return <Text size="sm">{t('allLocations')}</Text>;
  if (ids.length === 0) return <Text size="sm">{t('noLocations')}</Text>;
  if (!data) return <Skeleton height={24} />;
  return (
    <Stack gap={4} component="ul" m={0} pl="md">
      {ids.map((id) => {
        const found = data.find((location) => location.id === id);
        return <li key={id}>{found ? t('place', { name: found.name, city: found.city }) : <Code>{id}</Code>}</li>;
      })}
    </Stack>
  );
}

function Entries({ title, entries, whenEmpty }: { title: string; entries: string[]; whenEmpty: string }) {
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {entries.length === 0 ? (
        <Hint>{whenEmpty}</Hint>
      ) : (
        <ul className={styles.entries} aria-label={title}>
          {entries.map((entry) => (
            <li key={entry} className={styles.entry}>
              {entry}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

// These are needed only after the page is shown, so they are not part of its first scripts.
const ConflictNotice = dynamic(() => import('./conflict-notice').then((module) => module.ConflictNotice), {
  ssr: false,
});

const ReviewDialog = dynamic(() => import('./review-dialog').then((module) => module.ReviewDialog), { ssr: false });

function PolicyEditor({ application }: { application: ApplicationDetail }) {
  const t = useTranslations('applications.editor');
  const names = useTranslations('applications.partsInText');
  const editor = usePolicyEditor(application);
  const { form, base, both, parts, review, isDirty, isStale, save } = editor;
  useLeaveWarning(isDirty);
  return (
    <Form
      busy={save.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        editor.openReview();
      }}
    >
      <Stack maw={1160} gap="md">
        {both.length > 0 && (
          <Alert color="yellow" title={t('both')}>
            {t('bothText', { parts: both.map((part) => names(part)).join(', ') })}
          </Alert>
        )}
        <PolicyFields form={form} />
        {isDirty && (
          <SaveBar
            status={parts.length > 0 ? t('unsaved') : t('draft')}
            notice={
              isStale && (
                <ConflictNotice applicationId={application.id} version={base.version} onRebase={editor.rebase} />
              )
            }
          >
            <Button variant="default" onClick={editor.discard}>
              {t('discard')}
            </Button>
            <Button type="submit" disabled={isStale}>
              {t('review')}
            </Button>
          </SaveBar>
        )}
        <ReviewDialog
          application={application}
          before={base.policy}
          after={review}
          saving={save.isPending}
          problem={save.error?.data?.code === 'version_conflict' ? null : (save.error?.message ?? null)}
          onClose={editor.closeReview}
          onSave={editor.confirm}
        />
      </Stack>
    </Form>
  );
}

type Base = { version: number; policy: Policy };

const baseOf = (application: ApplicationDetail): Base => ({
  version: application.version,
  policy: policyOf(application),
});

function usePolicyEditor(application: ApplicationDetail) {
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

function useSavePolicy({ onSaved, onRefused }: Outcome) {
  const t = useTranslations('applications.editor');
  const trpc = useTRPC();
  const refresh = useDone(trpc.applications);
  return useMutation(
    trpc.applications.update.mutationOptions({
      onSuccess: ({ version }, { application_id: _, expected_version: __, ...policy }) => {
        onSaved({ version, policy });
        return refresh(t('saved'));
      },
      onError: (error) => {
        if (error.data?.code === 'version_conflict') void refresh();
        onRefused(error);
      },
    }),
  );
}
