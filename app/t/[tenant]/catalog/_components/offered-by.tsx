'use client';

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import styles from './catalog.module.css';
import { addOffers, type OfferedBy, offersBySpecialist } from './offers';
import type { Choices } from './types';

const AddOffer = dynamic(() => import('./add-offer').then((module) => module.AddOffer), { ssr: false });

type Props = {
  value: readonly OfferedBy[];
  onChange: (value: OfferedBy[]) => void;
  choices: Choices;
  canEdit: boolean;
};

/** Number of specialists above which the list can be searched. */
const SEARCHED_ABOVE = 8;

/** The specialists who offer a service, each with their locations, and the fields that add another specialist. */
export function OfferedByField({ value, onChange, choices, canEdit }: Props) {
  const t = useTranslations('catalog.offers');
  const [search, setSearch] = useState('');
  const rows = offersBySpecialist(value, choices);
  const found = rows.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  if (choices.specialists.length === 0 || choices.locations.length === 0) return <Text size="sm">{t('first')}</Text>;
  const remove = (specialistId: string, locationId: string) =>
    onChange(value.filter((pair) => pair.specialist_id !== specialistId || pair.location_id !== locationId));
  return (
    <Stack gap="md">
      {rows.length > SEARCHED_ABOVE && (
        <TextInput
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          // Without this handler, Enter would save the form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      )}
      {rows.length > 0 && found.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('noMatches')}
        </Text>
      )}
      {found.length > 0 && (
        <ul className={styles.offers} aria-label={t('list')}>
          {found.map(({ id, name, locations }) => (
            <li key={id} className={styles.offer}>
              <Text size="sm" fw={550}>
                {name}
              </Text>
              <Group gap={6}>
                {locations.map((location) => (
                  <Place
                    key={location.id}
                    name={location.name}
                    label={t('remove', { specialist: name, location: location.name })}
                    onRemove={canEdit ? () => remove(id, location.id) : undefined}
                  />
                ))}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {canEdit && <AddOffer choices={choices} onAdd={(added) => onChange(addOffers(value, added))} />}
    </Stack>
  );
}

type PlaceProps = { name: string; label: string; onRemove: (() => void) | undefined };

function Place({ name, label, onRemove }: PlaceProps) {
  if (!onRemove) return <Text size="sm">{name}</Text>;
  return (
    <Button
      variant="default"
      size="compact-xs"
      rightSection={<IconX size={12} aria-hidden />}
      aria-label={label}
      onClick={onRemove}
    >
      {name}
    </Button>
  );
}
