'use client';

import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import { Section } from '../../../_components/forms/form-section';
import { OptionalTranslatedField, TextField } from '../fields/fields';
import { WeekEditor } from '../fields/hours-editor';
import { LanguageTabs } from '../fields/language-tabs';
import { isoDay } from '../format';
import type { FieldsProps } from '../kind';
import { SPECIALIST } from '../kinds/specialist';
import { NewRecord } from '../records/new-record';
import { RecordEdit } from '../records/record-edit';
import { bindFields } from '../records/use-record-form';
import type { Choices, SpecialistValues, Weekly, Workplace } from '../types';
import { BlockedTimes } from './blocked-times';

export function SpecialistPage({ id, canEdit }: { id: string; canEdit: boolean }) {
  return (
    <BlockedTimes kind="specialist" id={id} canEdit={canEdit}>
      <RecordEdit kind={SPECIALIST} Fields={SpecialistFields} id={id} canEdit={canEdit} />
    </BlockedTimes>
  );
}

export function NewSpecialistPage({ canEdit }: { canEdit: boolean }) {
  return <NewRecord kind={SPECIALIST} Fields={SpecialistFields} canEdit={canEdit} />;
}

// Far down in the form, so they are not part of the first scripts.
const WorkplaceCard = dynamic(() => import('../kinds/workplace-card').then((module) => module.WorkplaceCard), {
  ssr: false,
});
const TimeOffEditor = dynamic(() => import('../fields/dates-editor').then((module) => module.TimeOffEditor), {
  ssr: false,
});

type Props = FieldsProps<SpecialistValues>;

function SpecialistFields({ form, choices, canEdit }: Props) {
  const t = useTranslations('catalog.specialist');
  const field = bindFields(form);
  return (
    <Stack gap="md">
      <Profile form={form} choices={choices} canEdit={canEdit} />
      <Section title={t('locations')} lead={t('locationsLead')}>
        <Workplaces form={form} choices={choices} />
      </Section>
      <Section title={t('breaks')} lead={t('breaksLead')}>
        <WeekEditor label={t('breaks')} {...field('breaks')} closed={t('noBreak')} />
      </Section>
      <Section title={t('timeOff')} lead={t('timeOffLead')}>
        <TimeOffEditor {...field('time_off')} />
      </Section>
    </Stack>
  );
}

type PartProps = Pick<Props, 'form' | 'choices'>;

function Profile({ form, choices, canEdit }: Omit<Props, 'isNew'>) {
  const t = useTranslations('catalog.specialist');
  const { values, set } = form;
  const field = bindFields(form);
  return (
    <Section title={t('profile')} lead={t('profileLead')}>
      <TextField label={t('name')} {...field('display_name')} maxLength={200} required />
      <LanguageTabs languages={choices} paths={['title', 'description']} canEdit={canEdit}>
        {(only) => (
          <>
            <OptionalTranslatedField label={t('title')} languages={choices} only={only} {...field('title')} />
            <OptionalTranslatedField
              label={t('description')}
              languages={choices}
              only={only}
              {...field('description')}
              lines
            />
          </>
        )}
      </LanguageTabs>
      <TextField
        label={t('image')}
        path="image_url"
        value={values.image_url ?? ''}
        onChange={(url) => set('image_url', url || null)}
        placeholder="https://…"
        maxLength={2048}
      />
    </Section>
  );
}

function Workplaces({ form: { values, set }, choices }: PartProps) {
  const t = useTranslations('catalog.specialist');
  const tWeekday = useTranslations('words.weekdays');
  const { workplaces } = values;
  const replace = (at: number, next: Workplace) =>
    set(
      'workplaces',
      workplaces.map((place, index) => (index === at ? next : place)),
    );
  return (
    <Stack gap="md">
      {workplaces.length === 0 && <Hint>{t('noLocations')}</Hint>}
      {workplaces.map((place, index) => (
        <WorkplaceCard
          key={place.location_id}
          path={`workplaces.${index}`}
          place={place}
          choices={choices}
          opening={hoursOf(choices, place.location_id)}
          overlaps={overlapsOf({ t, tWeekday }, place, workplaces, choices)}
          onChange={(next) => replace(index, next)}
          onRemove={() =>
            set(
              'workplaces',
              workplaces.filter((_, at) => at !== index),
            )
          }
        />
      ))}
      <AddWorkplace
        choices={choices}
        taken={workplaces.map(({ location_id }) => location_id)}
        onAdd={(location_id) =>
          set('workplaces', [
            ...workplaces,
            { location_id, service_ids: [], hours: hoursOf(choices, location_id), exceptions: [] },
          ])
        }
      />
    </Stack>
  );
}

function hoursOf(choices: Choices, locationId: string): Weekly {
  return choices.locations.find(({ id }) => id === locationId)?.hours ?? [];
}

type OverlapWords = { t: Translator<'catalog.specialist'>; tWeekday: Translator<'words.weekdays'> };

function overlapsOf(
  { t, tWeekday }: OverlapWords,
  place: Workplace,
  workplaces: readonly Workplace[],
  choices: Choices,
): string[] {
  const others = workplaces.filter(({ location_id }) => location_id !== place.location_id);
  const sentences = others.flatMap((other) =>
    other.hours
      .filter((theirs) => place.hours.some((own) => isOverlap(own, theirs)))
      .map(({ weekday, opens, closes }) => {
        const name = choices.locations.find(({ id }) => id === other.location_id)?.name ?? other.location_id;
        return t('alsoWorks', { opens, closes, location: name, weekday: tWeekday(isoDay(weekday)) });
      }),
  );
  return sentences.slice(0, 7);
}

type Hours = Weekly[number];

/** Compares texts of the form `HH:MM`. Equal times last until the next day, and so do times that end before they begin. */
function isOverlap(one: Hours, other: Hours): boolean {
  const end = ({ opens, closes }: Hours) => (closes > opens ? closes : '24:00');
  return one.weekday === other.weekday && one.opens < end(other) && other.opens < end(one);
}

type AddProps = { choices: Choices; taken: string[]; onAdd: (locationId: string) => void };

function AddWorkplace({ choices, taken, onAdd }: AddProps) {
  const t = useTranslations('catalog.specialist');
  const free = choices.locations.filter(({ id }) => !taken.includes(id));
  const [chosen, setChosen] = useState('');
  if (choices.locations.length === 0) return <Text size="sm">{t('firstLocation')}</Text>;
  if (free.length === 0) return null;
  const value = free.some(({ id }) => id === chosen) ? chosen : (free[0]?.id ?? '');
  return (
    <Group align="flex-end" gap="xs">
      <NativeSelect
        label={t('location')}
        value={value}
        data={free.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Button variant="default" onClick={() => onAdd(value)}>
        {t('addLocation')}
      </Button>
    </Group>
  );
}
