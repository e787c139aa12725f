'use client';

import { Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
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
      <Part title="Request log">
        <Text size="sm">
          Log entries include the IP address and user agent, but never request bodies or contact details.
        </Text>
        <Days
          label="Days to keep"
          min={1}
          max={30}
          value={draft.request_log_days}
          onChange={(days) => change({ request_log_days: days })}
        />
      </Part>
      <Part title="Deliveries">
        <Text size="sm">
          Deletes finished webhook deliveries, with their attempts and responses. A deleted delivery cannot be replayed.
          Held deliveries are kept for at least 30 days.
        </Text>
        <Days
          label="Days to keep a delivery after its last attempt"
          min={14}
          max={365}
          value={draft.delivery_days}
          onChange={(days) => change({ delivery_days: days })}
        />
      </Part>
      <History days={draft.history_days} onChange={(days) => change({ history_days: days })} />
      <Group justify="flex-end">
        <Button variant="default" disabled={!isChanged} onClick={() => setDraft(saved)}>
          Discard
        </Button>
        <Button disabled={!isChanged} onClick={() => setOpened(true)}>
          Review changes
        </Button>
      </Group>
      <SaveDialog saved={saved} draft={draft} opened={opened} onClose={() => setOpened(false)} />
    </Stack>
  );
}

type OptionalDays = { days: number | null; onChange: (days: number | null) => void };

function Contacts({ days, onChange }: OptionalDays) {
  return (
    <Part title="Customer contacts">
      <Text size="sm">
        Removes names, phone numbers, email addresses, notes, and metadata from bookings and stored responses. The
        bookings are kept, with their times, services, and references.
      </Text>
      <Switch
        label="Remove contacts after the visit"
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? DEFAULT_DAYS : null)}
      />
      {days !== null && (
        <Days label="Days to keep after the visit" min={1} max={3650} value={days} onChange={onChange} />
      )}
    </Part>
  );
}

function History({ days, onChange }: OptionalDays) {
  return (
    <Part title="Booking history">
      <Text size="sm">
        Deletes the events of past bookings. Each event records one version of a booking. The bookings are kept in their
        last state.
      </Text>
      <Switch
        label="Delete the history of past bookings"
        checked={days !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? DEFAULT_DAYS : null)}
      />
      {days !== null && (
        <Days label="Days to keep history after the visit" min={90} max={3650} value={days} onChange={onChange} />
      )}
    </Part>
  );
}

type DaysProps = { label: string; min: number; max: number; value: number; onChange: (days: number) => void };

function Days({ label, min, max, value, onChange }: DaysProps) {
  return (
    <NumberInput
      label={label}
      description={`${min} to ${max}`}
      min={min}
      max={max}
      maw={220}
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
