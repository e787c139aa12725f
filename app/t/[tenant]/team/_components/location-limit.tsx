'use client';

import { Checkbox, Radio, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { ErrorState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';

/** The locations to which a front desk is limited. Null for all. */
export type Limit = string[] | null;

type Props = { value: Limit; onChange: (limit: Limit) => void; error: string | null };

/** Limits a front desk to locations, or to none. */
export function LocationLimit({ value, onChange, error }: Props) {
  const t = useTranslations('team.locations');
  return (
    <Stack gap="md">
      <Radio.Group
        label={t('label')}
        description={t('hint')}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('all')} />
          <Radio value="some" label={t('some')} />
        </Stack>
      </Radio.Group>
      {value !== null && <Choices value={value} onChange={onChange} error={error} />}
    </Stack>
  );
}

function Choices({ value, onChange, error }: Props & { value: string[] }) {
  const t = useTranslations('team.locations');
  const trpc = useTRPC();
  const locations = useQuery(trpc.locations.list.queryOptions());
  if (locations.isError) return <ErrorState error={locations.error} retry={() => void locations.refetch()} />;
  if (!locations.data) return <Skeleton height={140} />;
  return (
    <Checkbox.Group label={t('allowed')} error={error} value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs" mb="xs">
        {locations.data.map(({ id, name, city }) => (
          <Checkbox key={id} value={id} label={name} description={city} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** Returns what is wrong with the choice for a role, or null. */
export function limitProblem(t: Translator<'team.locations'>, role: string, limit: Limit): string | null {
  return role === 'FRONT_DESK' && limit?.length === 0 ? t('problem') : null;
}
