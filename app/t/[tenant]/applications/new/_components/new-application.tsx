'use client';

import { Alert, Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { useTRPC } from '../../../_components/trpc';
import { NEW_POLICY } from '../../_components/policy';
import { PolicyFields } from '../../_components/policy-fields';
import { ScopePresets } from '../../_components/scope-presets';
import { showServerErrors, submitPolicy, usePolicyForm } from '../../_components/use-policy-form';

/** Creates an application and opens the page with its keys. */
export function NewApplication() {
  const t = useTranslations('applications.new');
  const common = useTranslations('common');
  const entries = useTranslations('applications.entries');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const hrefOf = useTenantHref();
  const form = usePolicyForm(NEW_POLICY);
  const create = useMutation(
    trpc.applications.create.mutationOptions({
      onError: (error) => showServerErrors(common, form, error),
      onSuccess: ({ id }, { name }) => {
        notifications.show({ message: t('created', { name }) });
        void queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
        router.push(hrefOf(`/applications/${id}/keys`));
      },
    }),
  );
  useLeaveWarning(form.isDirty() && !create.isSuccess);
  return (
    <form
      noValidate
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
        {create.error && (
          <Alert color="red" role="alert">
            {create.error.message}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={create.isPending || create.isSuccess}>
            {t('create')}
          </Button>
          <Button variant="default" component={Link} href="/applications">
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
