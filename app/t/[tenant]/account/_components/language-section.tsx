'use client';

import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { HOUR_CYCLES, type HourCycle, LANGUAGES, type Language } from '@/lib/platform/text/languages';
import { Problem } from '../../_components/forms/form-end';
import { Panel } from '../../_components/panel';
import { useTRPC } from '../../_components/trpc';

/** Each in its own language, so that a person finds it whatever the page is in. */
const NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

type Choice = { language: Language | null; hourCycle: HourCycle | null };

/** The language and the clock of the person. A choice counts at once. */
export function LanguageSection({ language, hourCycle }: Choice) {
  const t = useTranslations('account.language');
  const router = useRouter();
  const trpc = useTRPC();
  const choose = useMutation(trpc.session.choose_language.mutationOptions({ onSuccess: () => router.refresh() }));
  const chosen = choose.variables ?? { language, hour_cycle: hourCycle };
  return (
    <Panel title={t('title')}>
      <Hint>{t('text')}</Hint>
      <Problem error={choose.error} />
      <NativeSelect
        label={t('language')}
        value={chosen.language ?? ''}
        onChange={({ currentTarget: { value } }) =>
          choose.mutate({ ...chosen, language: LANGUAGES.find((one) => one === value) ?? null })
        }
        data={[{ value: '', label: t('browser') }, ...LANGUAGES.map((one) => ({ value: one, label: NAMES[one] }))]}
      />
      <NativeSelect
        label={t('clock')}
        value={chosen.hour_cycle ?? ''}
        onChange={({ currentTarget: { value } }) =>
          choose.mutate({ ...chosen, hour_cycle: HOUR_CYCLES.find((one) => one === value) ?? null })
        }
        data={[{ value: '', label: t('default') }, ...HOUR_CYCLES.map((one) => ({ value: one, label: t(one) }))]}
      />
    </Panel>
  );
}
