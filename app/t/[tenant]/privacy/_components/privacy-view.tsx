'use client';

import { Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Retention } from '../../_components/api-types';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { CustomerSection } from './customer-section';
import { NamesSection } from './names-section';
import { Part } from './part';
import { SaveDialog } from './save-dialog';

/** The initial number of days in the form when the owner turns on the removal of contacts or of the history. */
const DEFAULT_DAYS = 365;

/**
 * Whether names are shown, and the retention settings. A dialog shows the effects of changed settings before they are
 * saved.
 */
export function PrivacyView() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.privacy.get.queryOptions());
  if (settings.isError) return <ErrorState error={settings.error} retry={() => void settings.refetch()} />;
  if (!settings.data) return <LoadingRows rows={3} height={120} />;
  return <Settings saved={settings.data} />;
}

function Settings({ saved }: { saved: Retention }) {
  const t = useTranslations('privacy');
  const [draft, setDraft] = useState<Retention>(saved);
  useEffect(() => setDraft(saved), [saved]);
  const [opened, setOpened] = useState(false);
  const change = (part: Partial<Retention>) => setDraft({ ...draft, ...part });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved);
  return (
    <Stack gap="md" maw={720}>
      <CustomerSection />
      <NamesSection />
      <Contacts days={draft.contact_days} onChange={(days) => change({ contact_days: days })} />
      <Part title={t('requestLog.title')}>
        <Text size="sm">{t('requestLog.lead')}</Text>
        <Days
          label={t('requestLog.days')}
          min={1}
          max={30}
          value={draft.request_log_days}
          onChange={(days) => change({ request_log_days: days })}
        />
      </Part>
      <Part title={t('deliveries.title')}>
        <Text size="sm">{t('deliveries.lead')}</Text>
        <Days
          label={t('deliveries.days')}
          min={14}
          max={365}
          value={draft.delivery_days}
          onChange={(days) => change({ delivery_days: days })}
        />
      </Part>
      <History days={draft.history_days} onChange={(days) => change({ history_days: days })} />
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

type OptionalDays = { days: number | null; onChange: (days: number | null) => void };

function Contacts({ days, onChange }: OptionalDays) {
  const t = useTranslations('privacy.contacts');
  return (
    <Part title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Switch
        label={t('switch')}
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? DEFAULT_DAYS : null)}
      />
      {days !== null && <Days label={t('days')} min={1} max={3650} value={days} onChange={onChange} />}
    </Part>
  );
}

function History({ days, onChange }: OptionalDays) {
  const t = useTranslations('privacy.history');
  return (
    <Part title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Switch
        label={t('switch')}
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? DEFAULT_DAYS : null)}
      />
      {days !== null && <Days label={t('days')} min={90} max={3650} value={days} onChange={onChange} />}
    </Part>
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
