'use client';

import { Button, Group, MultiSelect, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import styles from '../catalog.module.css';
import type { Choices } from '../types';
import type { OfferedBy } from './offers';

/** The fields that add a specialist to those who offer a service. */
export function AddOffer({ choices, onAdd }: { choices: Choices; onAdd: (added: OfferedBy[]) => void }) {
  const t = useTranslations('catalog.offers');
  const [only] = choices.locations;
  const start = choices.locations.length === 1 && only ? [only.id] : [];
  const [specialist, setSpecialist] = useState<string | null>(null);
  const [places, setPlaces] = useState(start);
  const options = (records: readonly { id: string; name: string }[]) =>
    records.map(({ id, name }) => ({ value: id, label: name }));
  const add = () => {
    if (specialist === null) return;
    onAdd(places.map((location_id) => ({ specialist_id: specialist, location_id })));
    setSpecialist(null);
    setPlaces(start);
  };
  return (
    <Group align="flex-end" gap="xs">
      <Select
        searchable
        label={t('specialist')}
        placeholder={t('chooseSpecialist')}
        data={options(choices.specialists)}
        value={specialist}
        onChange={setSpecialist}
        className={styles.grow}
      />
      <MultiSelect
        searchable
        hidePickedOptions
        label={t('locations')}
        placeholder={places.length === 0 ? t('chooseLocations') : undefined}
        data={options(choices.locations)}
        value={places}
        onChange={setPlaces}
        className={styles.grow}
      />
      <Button variant="default" onClick={add} disabled={specialist === null || places.length === 0}>
        {t('add')}
      </Button>
    </Group>
  );
}
