'use client';

import { Alert, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Retention } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { plural } from '../../_components/format';
import { useTRPC } from '../../_components/trpc';

type Props = { saved: Retention; draft: Retention; opened: boolean; onClose: () => void };

/**
 * The dialog that states which data is deleted under the new retention settings, and asks the owner to confirm the
 * settings.
 */
export function SaveDialog({ saved, draft, opened, onClose }: Props) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const save = useMutation(
    trpc.privacy.update.mutationOptions({
      onSuccess: () => {
        onClose();
        notifications.show({ message: 'Retention settings saved.' });
        return queries.invalidateQueries({ queryKey: trpc.privacy.pathKey() });
      },
    }),
  );
  const close = () => {
    save.reset();
    onClose();
  };
  const field = save.error?.data?.fields?.[0];
  const problem = field ? `The number of days ${field.message}.` : (save.error?.message ?? null);
  return (
    <ConfirmDialog
      title="Change retention settings?"
      opened={opened}
      onClose={close}
      action="Save changes"
      danger
      busy={save.isPending}
      problem={problem}
      onConfirm={() => save.mutate(draft)}
    >
      <List size="sm" spacing={4}>
        {changesOf(saved, draft).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <AffectedContacts saved={saved} draft={draft} opened={opened} />
      <Text size="sm">
        The next hourly cleanup deletes data that is older than these limits. This can’t be undone. Bookings and the
        audit log are kept.
      </Text>
    </ConfirmDialog>
  );
}

/** Shows the number of contacts that the next cleanup would remove under the new settings. */
function AffectedContacts({ saved, draft, opened }: Omit<Props, 'onClose'>) {
  const trpc = useTRPC();
  const days = draft.contact_days;
  const isChanged = days !== null && days !== saved.contact_days;
  const preview = useQuery({
    ...trpc.privacy.preview.queryOptions({ contact_days: days ?? 1 }),
    enabled: opened && isChanged,
  });
  if (!isChanged || !preview.data) return null;
  const { contacts } = preview.data;
  const count = contacts > 10_000 ? 'More than 10,000' : String(contacts);
  return (
    <Alert color={contacts > 0 ? 'yellow' : 'gray'} role="status">
      {count} {contacts === 1 ? 'contact' : 'contacts'} will be removed.
    </Alert>
  );
}

const keptText = (days: number | null) => (days === null ? 'kept' : `removed ${plural(days, 'day')} after the visit`);

function changesOf(saved: Retention, draft: Retention): string[] {
  const lines: string[] = [];
  if (saved.contact_days !== draft.contact_days)
    lines.push(`Contacts: ${keptText(saved.contact_days)} → ${keptText(draft.contact_days)}`);
  if (saved.request_log_days !== draft.request_log_days)
    lines.push(`Request log: ${saved.request_log_days} → ${plural(draft.request_log_days, 'day')}`);
  if (saved.delivery_days !== draft.delivery_days)
    lines.push(`Deliveries: ${saved.delivery_days} → ${plural(draft.delivery_days, 'day')}`);
  if (saved.history_days !== draft.history_days)
    lines.push(`Booking history: ${keptText(saved.history_days)} → ${keptText(draft.history_days)}`);
  return lines;
}
