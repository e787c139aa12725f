'use client';

import { Alert, List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import type { Retention } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { useTRPC } from '../../_components/trpc';

type Props = { saved: Retention; draft: Retention; opened: boolean; onClose: () => void };

/**
 * The dialog that states which data is deleted under the new retention settings, and asks the owner to confirm the
 * settings.
 */
export function SaveDialog({ saved, draft, opened, onClose }: Props) {
  const t = useTranslations('privacy.save');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const save = useMutation(
    trpc.privacy.update.mutationOptions({
      onSuccess: () => {
        onClose();
        notifications.show({ message: t('saved') });
        return queries.invalidateQueries({ queryKey: trpc.privacy.pathKey() });
      },
    }),
  );
  const close = () => {
    save.reset();
    onClose();
  };
  const field = save.error?.data?.fields?.[0];
  const problem = field ? t('problem', { message: field.message }) : (save.error?.message ?? null);
  return (
    <ConfirmDialog
      title={t('title')}
      opened={opened}
      onClose={close}
      action={t('action')}
      danger
      busy={save.isPending}
      problem={problem}
      onConfirm={() => save.mutate(draft)}
    >
      <List size="sm" spacing={4}>
        {changesOf(t, saved, draft).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <AffectedContacts saved={saved} draft={draft} opened={opened} />
      <Text size="sm">{t('effect')}</Text>
    </ConfirmDialog>
  );
}

/** The server counts one more at most. */
const MOST = 10_000;

/** Shows the number of contacts that the next cleanup would remove under the new settings. */
function AffectedContacts({ saved, draft, opened }: Omit<Props, 'onClose'>) {
  const t = useTranslations('privacy.save');
  const format = useFormats();
  const trpc = useTRPC();
  const days = draft.contact_days;
  const isChanged = days !== null && days !== saved.contact_days;
  const preview = useQuery({
    ...trpc.privacy.preview.queryOptions({ contact_days: days ?? 1 }),
    enabled: opened && isChanged,
  });
  if (!isChanged || !preview.data) return null;
  const { contacts } = preview.data;
  return (
    <Alert color={contacts > 0 ? 'yellow' : 'gray'} role="status">
      {contacts > MOST ? t('affectedMany', { count: format.count(MOST) }) : t('affected', { count: contacts })}
    </Alert>
  );
}

type Translate = Translator<'privacy.save'>;

const keptText = (t: Translate, days: number | null) => (days === null ? t('kept') : t('removed', { days }));

function changesOf(t: Translate, saved: Retention, draft: Retention): string[] {
  const kept = (name: 'contact_days' | 'history_days') => ({
    before: keptText(t, saved[name]),
    after: keptText(t, draft[name]),
  });
  const days = (name: 'request_log_days' | 'delivery_days') => ({ before: saved[name], after: draft[name] });
  const lines: string[] = [];
  if (saved.contact_days !== draft.contact_days) lines.push(t('contacts', kept('contact_days')));
  if (saved.request_log_days !== draft.request_log_days) lines.push(t('requestLog', days('request_log_days')));
  if (saved.delivery_days !== draft.delivery_days) lines.push(t('deliveries', days('delivery_days')));
  if (saved.history_days !== draft.history_days) lines.push(t('history', kept('history_days')));
  return lines;
}
