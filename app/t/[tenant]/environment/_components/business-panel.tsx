'use client';

import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { languageLabel } from '@/app/_components/languages';
import { LanguagesField } from '@/app/_components/languages-field';
import { Conflict } from '../../_components/forms/conflict';
import { Form } from '../../_components/forms/form';
import { Problem } from '../../_components/forms/form-end';
import { ZoneField } from '../../_components/forms/zone-field';
import { Panel } from '../../_components/panel';
import { useLeaveWarning } from '../../_components/shell/leave-guard';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';

const unique = (one: string | undefined, index: number, all: (string | undefined)[]): one is string =>
  one !== undefined && all.indexOf(one) === index;

type Business = { business_name: string; time_zone: string; locales: string[] };

/** The name, time zone, and languages of the business. Owners can edit them. */
export function BusinessPanel({ saved }: { saved: Business }) {
  const t = useTranslations('environment.business');
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  return (
    <Panel title={t('title')}>
      {me.data?.role === 'OWNER' ? <BusinessForm saved={saved} /> : <ReadOnly saved={saved} />}
    </Panel>
  );
}

function ReadOnly({ saved: { business_name: name, time_zone: zone, locales } }: { saved: Business }) {
  const format = useFormats();
  const t = useTranslations('environment.business');
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {t('readOnly', { name, zone, languages: locales.map((tag) => languageLabel(format, tag)).join(', ') })}
    </Text>
  );
}

function BusinessForm({ saved }: { saved: Business }) {
  const format = useFormats();
  const t = useTranslations('environment.business');
  const { before, draft, change, save, discard, submit, conflict, problem, errorOf, isChanged } = useBusiness(saved);
  useLeaveWarning(isChanged);
  return (
    <Form busy={save.isPending} onSubmit={submit}>
      <Stack>
        {conflict && (
          <Conflict action={t('load')} onAction={discard}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t('savedValues', {
                name: saved.business_name,
                zone: saved.time_zone,
                languages: saved.locales.join(', '),
              })}
            </Text>
          </Conflict>
        )}
        <Problem error={problem} />
        <TextInput
          label={t('name')}
          maxLength={200}
          value={draft.business_name}
          error={errorOf('business_name')}
          onChange={(event) => change({ business_name: event.currentTarget.value })}
        />
        <ZoneField
          label={t('zone')}
          description={t('zoneHint')}
          value={draft.time_zone}
          error={errorOf('time_zone')}
          onChange={(time_zone) => change({ time_zone })}
        />
        <LanguagesField
          description={t('languagesHint')}
          fixed={before.locales}
          value={draft.locales}
          error={errorOf('locales')}
          onChange={(locales) => change({ locales: [draft.locales[0], ...locales].filter(unique) })}
        />
        <NativeSelect
          label={t('defaultLanguage')}
          description={t('defaultLanguageHint')}
          value={draft.locales[0]}
          data={draft.locales.map((tag) => ({ value: tag, label: languageLabel(format, tag) }))}
          onChange={({ currentTarget: { value } }) => change({ locales: [value, ...draft.locales].filter(unique) })}
        />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
          <Button variant="default" disabled={!isChanged} onClick={discard}>
            {t('discard')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function useBusiness(saved: Business) {
  const t = useTranslations('environment.business');
  const trpc = useTRPC();
  const done = useDone(trpc.environment);
  const router = useRouter();
  // The values at the time when the owner began to edit. `saved` can change while the owner types.
  const [before, setBefore] = useState(saved);
  const [draft, setDraft] = useState(saved);
  const save = useMutation(
    trpc.environment.change_business.mutationOptions({
      onSuccess: (now) => {
        setBefore(now);
        setDraft(now);
        notifications.show({ message: t('saved') });
        // The server renders the page header, which shows the business name, so the header must be rendered again.
        router.refresh();
      },
      onSettled: () => done(),
    }),
  );
  const discard = () => {
    save.reset();
    setBefore(saved);
    setDraft(saved);
  };
  const fields = save.error?.data?.fields ?? [];
  const conflict = save.error?.data?.code === 'version_conflict';
  const errorOf = (name: keyof Business) => {
    const found = fields.find(({ path }) => path.split('.')[0] === name);
    return found && t('problem', { message: found.message });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ before, ...draft });
  };
  return {
    before,
    draft,
    change: (part: Partial<Business>) => setDraft({ ...draft, ...part }),
    save,
    discard,
    submit,
    conflict,
    problem: save.error && !conflict && fields.length === 0 ? save.error.message : null,
    errorOf,
    isChanged: JSON.stringify(draft) !== JSON.stringify(before),
  };
}
