'use client';

import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { Link } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import type { PartnerScope } from '@/lib/contract/common';
import { Form } from '../../../_components/forms/form';
import { Problem } from '../../../_components/forms/form-end';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { NEW_POLICY } from '../../_components/policy/policy';
import { PolicyFields } from '../../_components/policy/policy-fields';
import { presetOf, SCOPE_PRESETS } from '../../_components/policy/scopes';
import { showServerErrors, submitPolicy, usePolicyForm } from '../../_components/policy/use-policy-form';

/** Creates an application and opens the page with its keys. */
export function NewApplication() {
  const t = useTranslations('applications.new');
  const common = useTranslations('common');
  const entries = useTranslations('applications.entries');
  const trpc = useTRPC();
  const done = useDone(trpc.applications);
  const router = useRouter();
  const hrefOf = useTenantHref();
  const form = usePolicyForm(NEW_POLICY);
  const create = useMutation(
    trpc.applications.create.mutationOptions({
      onError: (error) => showServerErrors(common, form, error),
      onSuccess: ({ id }, { name }) => {
        void done(t('created', { name }));
        router.push(hrefOf(`/applications/${id}/keys`));
      },
    }),
  );
  useLeaveWarning(form.isDirty() && !create.isSuccess);
  return (
    <Form
      busy={create.isPending || create.isSuccess}
      onSubmit={(event) => {
        event.preventDefault();
        const policy = submitPolicy(entries, form);
        if (policy && !create.isPending) create.mutate(policy);
      }}
    >
      <Stack maw={1160}>
        <PolicyFields
          form={form}
          presets={
            <ScopePresets value={form.values.scopes} onChange={(scopes) => form.setFieldValue('scopes', scopes)} />
          }
        />
        <Problem error={create.error} />
        <Group>
          <Button type="submit" loading={create.isPending || create.isSuccess}>
            {t('create')}
          </Button>
          <Button variant="default" component={Link} href="/applications">
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

type Props = { value: readonly PartnerScope[]; onChange: (scopes: PartnerScope[]) => void };

function ScopePresets({ value, onChange }: Props) {
  const t = useTranslations('applications.form');
  const id = useId();
  const preset = presetOf(value);
  return (
    <Stack gap={6} align="flex-start">
      <Text size="sm" fw={500} id={id}>
        {t('preset')}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={preset?.name ?? ''}
        onChange={(name) => {
          const chosen = SCOPE_PRESETS.find((one) => one.name === name);
          if (chosen) onChange([...chosen.scopes]);
        }}
        data={SCOPE_PRESETS.map(({ name }) => ({ value: name, label: t(`presets.${name}.name`) }))}
      />
      <Hint role="status">{preset ? t(`presets.${preset.name}.description`) : t('noPreset')}</Hint>
    </Stack>
  );
}
