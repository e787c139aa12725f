'use client';

import { Alert, Button, Group, MultiSelect, Stack, Title } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import styles from '../catalog.module.css';
import { ExceptionsEditor } from '../fields/dates-editor';
import { WeekEditor } from '../fields/hours-editor';
import { useFieldError } from '../records/form-context';
import type { Choices, Weekly, Workplace } from '../types';

type CardProps = {
  path: string;
  place: Workplace;
  choices: Choices;
  opening: Weekly;
  overlaps: string[];
  onChange: (place: Workplace) => void;
  onRemove: () => void;
};

/** What a specialist does at one location. */
export function WorkplaceCard({ path, place, choices, opening, overlaps, onChange, onRemove }: CardProps) {
  const t = useTranslations('catalog.specialist');
  const name = choices.locations.find(({ id }) => id === place.location_id)?.name ?? place.location_id;
  return (
    <section className={styles.card} aria-label={name}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={3} size="h6">
            {name}
          </Title>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('removeLocation', { location: name })}
            onClick={onRemove}
          >
            {t('remove')}
          </Button>
        </Group>
        <MultiSelect
          searchable
          hidePickedOptions
          label={t('servicesAt', { location: name })}
          placeholder={place.service_ids.length === 0 ? t('chooseServices') : undefined}
          data={choices.services.map(({ id, name: label }) => ({ value: id, label }))}
          value={place.service_ids}
          error={useFieldError(`${path}.service_ids`, t('servicesAt', { location: name }))}
          onChange={(service_ids) => onChange({ ...place, service_ids })}
        />
        <WeekEditor
          label={t('hoursAt', { location: name })}
          path={`${path}.hours`}
          value={place.hours}
          onChange={(hours) => onChange({ ...place, hours })}
          closed={t('notWorking')}
        />
        {opening.length > 0 && JSON.stringify(opening) !== JSON.stringify(place.hours) && (
          <Group>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconCopy size={14} aria-hidden />}
              onClick={() => onChange({ ...place, hours: opening })}
            >
              {t('useOpening', { location: name })}
            </Button>
          </Group>
        )}
        {overlaps.length > 0 && (
          <Alert color="yellow" title={t('overlap')}>
            {t('overlapEffect', { sentences: overlaps.join(' ') })}
          </Alert>
        )}
        <ExceptionsEditor
          label={t('exceptionsAt', { location: name })}
          path={`${path}.exceptions`}
          value={place.exceptions}
          onChange={(exceptions) => onChange({ ...place, exceptions })}
        />
      </Stack>
    </section>
  );
}
