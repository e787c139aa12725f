'use client';

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { EmptyState } from '../../../../_components/states';

/** The empty state of an application without an endpoint. */
export function NoEndpoint({ canEdit, onCreate }: { canEdit: boolean; onCreate: () => void }) {
  return (
    <EmptyState
      title="No endpoint yet"
      action={
        canEdit && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate} mt="xs">
            Create endpoint
          </Button>
        )
      }
    >
      An endpoint receives a signed event within a second of each change to this application’s bookings. Failed
      deliveries are retried. {canEdit ? 'All you need is a URL.' : 'An owner can create the endpoint.'}
    </EmptyState>
  );
}
