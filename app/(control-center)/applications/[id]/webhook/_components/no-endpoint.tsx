'use client';

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { EmptyState } from '../../../../_components/states';

/** No endpoint yet: what one is for, and how to set one up. */
export function NoEndpoint({ canEdit, onCreate }: { canEdit: boolean; onCreate: () => void }) {
  return (
    <EmptyState
      title="No endpoint yet"
      action={
        canEdit && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate} mt="xs">
            Set up the endpoint
          </Button>
        )
      }
    >
      Every change of this application’s bookings can be sent to the partner’s server, signed, within a second, and
      again until it arrives. {canEdit ? 'All it takes is a URL.' : 'An owner can set up the endpoint.'}
    </EmptyState>
  );
}
