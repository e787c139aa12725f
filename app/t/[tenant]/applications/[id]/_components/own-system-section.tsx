'use client';

import { Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Problem } from '../../../_components/forms/form-end';
import { Section } from '../../../_components/forms/form-section';
import { useTRPC } from '../../../_components/trpc';

type Props = { application: ApplicationDetail; canEdit: boolean };

/** States whether an application is a machine of the business. Saved at once, independently of the policy. */
export function OwnSystemSection({ application, canEdit }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const change = useMutation(
    trpc.applications.set_own_system.mutationOptions({
      onSuccess: ({ own_system }) => {
        notifications.show({
          message: own_system
            ? 'The application may push busy times.'
            : 'The busy times of the application are removed.',
        });
        return queries.invalidateQueries({ queryKey: trpc.applications.pathKey() });
      },
    }),
  );
  return (
    <Section
      title="Own system"
      lead="For a till, a booking widget, or another machine of your business that sells time elsewhere. Never for a partner."
    >
      <Switch
        label="This application is an own system"
        description="It gets the scope busy.write, and may mark times as busy. Its busy times are removed when you turn this off."
        checked={application.own_system}
        disabled={!canEdit || change.isPending}
        onChange={(event) => change.mutate({ application_id: application.id, own_system: event.currentTarget.checked })}
      />
      {!canEdit && (
        <Text size="sm" c="dimmed">
          Only owners can change this.
        </Text>
      )}
      <Problem error={change.error} />
    </Section>
  );
}
