'use client';

import { Alert, Button, Group, List, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { Retention } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Panel } from '../../_components/panel';
import { useLeaveWarning } from '../../_components/shell/leave-guard';
import { NotLoaded } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';

const DEFAULT_DAYS = 365;

/** Shows the effects of changed settings in a dialog before they are saved. */
export function PrivacyView() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.privacy.get.queryOptions());
  if (settings.isError || !settings.data) return <NotLoaded query={settings} rows={3} height={120} />;
  return <Settings saved={settings.data} />;
}

function Settings({ saved }: { saved: Retention }) {
  const t = useTranslations('privacy');
  const [draft, setDraft] = useState<Retention>(saved);
  // The settings that the form started from. Newer ones replace only unchanged ones.
  const [before, setBefore] = useState(saved);
  if (saved !== before) {
    setBefore(saved);
    setDraft(rebase(before, draft, saved));
  }
  const [opened, setOpened] = useState(false);
  const change = (part: Partial<Retention>) => setDraft({ ...draft, ...part });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  useLeaveWarning(isChanged);
  return (
    <Stack gap="md" maw={720}>
      <CustomerSection />
      <NamesSection />
      <Removal of="contacts" min={1} days={draft.contact_days} onChange={(days) => change({ contact_days: days })} />
      <Panel gap="sm" title={t('requestLog.title')}>
        <Text size="sm">{t('requestLog.lead')}</Text>
        <Days
          label={t('requestLog.days')}
          min={1}
          max={30}
          value={draft.request_log_days}
          onChange={(days) => change({ request_log_days: days })}
        />
      </Panel>
      <Panel gap="sm" title={t('deliveries.title')}>
        <Text size="sm">{t('deliveries.lead')}</Text>
        <Days
          label={t('deliveries.days')}
          min={14}
          max={365}
          value={draft.delivery_days}
          onChange={(days) => change({ delivery_days: days })}
        />
      </Panel>
      <Removal of="history" min={90} days={draft.history_days} onChange={(days) => change({ history_days: days })} />
      <Group justify="flex-end">
        <Button variant="default" disabled={!isChanged} onClick={() => setDraft(saved)}>
          {t('settings.discard')}
        </Button>
        <Button disabled={!isChanged} onClick={() => setOpened(true)}>
          {t('settings.review')}
        </Button>
      </Group>
      <SaveDialog saved={saved} draft={draft} opened={opened} onClose={() => setOpened(false)} />
    </Stack>
  );
}

/** Returns the newer settings with the changes of `draft`. */
function rebase(before: Retention, draft: Retention, newer: Retention): Retention {
  const names = Object.keys(newer) as (keyof Retention)[];
  const changed = names.filter((name) => draft[name] !== before[name]);
  return { ...newer, ...Object.fromEntries(changed.map((name) => [name, draft[name]])) };
}

type RemovalProps = {
  of: 'contacts' | 'history';
  min: number;
  days: number | null;
  onChange: (days: number | null) => void;
};

function Removal({ of, min, days, onChange }: RemovalProps) {
  const t = useTranslations('privacy');
  return (
    <Panel gap="sm" title={t(`${of}.title`)}>
      <Text size="sm">{t(`${of}.lead`)}</Text>
      <Switch
        label={t(`${of}.switch`)}
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? DEFAULT_DAYS : null)}
      />
      {days !== null && <Days label={t(`${of}.days`)} min={min} max={3650} value={days} onChange={onChange} />}
    </Panel>
  );
}

type DaysProps = { label: string; min: number; max: number; value: number; onChange: (days: number) => void };

function Days({ label, min, max, value, onChange }: DaysProps) {
  const t = useTranslations('privacy.settings');
  return (
    <NumberInput
      label={label}
      description={t('bounds', { min, max })}
      min={min}
      max={max}
      styles={{ input: { maxWidth: 220 } }}
      allowDecimal={false}
      clampBehavior="blur"
      // Hides the buttons that change the number, because they cannot be reached with the keyboard. The arrow keys
      // change the number instead.
      hideControls
      value={value}
      onChange={(days) => typeof days === 'number' && onChange(days)}
    />
  );
}

function CustomerSection() {
  const t = useTranslations('privacy.customerSection');
  return (
    <Panel gap="sm" title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Button component={Link} href="/privacy/customer" variant="default" w="fit-content">
        {t('open')}
      </Button>
    </Panel>
  );
}

function NamesSection() {
  const trpc = useTRPC();
  const t = useTranslations('privacy.names');
  const done = useDone(trpc.privacy, trpc.bookings);
  const [opened, setOpened] = useState(false);
  const names = useQuery(trpc.privacy.names.queryOptions());
  const save = useMutation(
    trpc.privacy.set_names.mutationOptions({
      onSuccess: ({ shown }) => {
        setOpened(false);
        return done(shown ? t('shown') : t('hidden'));
      },
    }),
  );
  if (names.isError || !names.data) return <NotLoaded query={names} rows={1} height={120} />;
  const { shown } = names.data;
  return (
    <Panel gap="sm" title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Switch label={t('switch')} checked={shown} onChange={() => setOpened(true)} />
      <ConfirmDialog
        title={shown ? t('hideTitle') : t('showTitle')}
        opened={opened}
        onClose={close}
        action={shown ? t('hide') : t('show')}
        change={save}
        onConfirm={() => save.mutate({ shown: !shown })}
      >
        <Text size="sm">{shown ? t('hideEffect') : t('showEffect')}</Text>
      </ConfirmDialog>
    </Panel>
  );
}

type Props = { saved: Retention; draft: Retention; opened: boolean; onClose: () => void };

function SaveDialog({ saved, draft, opened, onClose }: Props) {
  const t = useTranslations('privacy.save');
  const trpc = useTRPC();
  const done = useDone(trpc.privacy);
  const save = useMutation(
    trpc.privacy.update.mutationOptions({
      onSuccess: () => {
        onClose();
        return done(t('saved'));
      },
    }),
  );
  const field = save.error?.data?.fields?.[0];
  return (
    <ConfirmDialog
      title={t('title')}
      opened={opened}
      onClose={onClose}
      action={t('action')}
      danger
      change={save}
      problem={field && t('problem', { message: field.message })}
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
