'use client';

import { Alert, Anchor, Checkbox, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../_components/forms/form-end';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';

/** The kinds of notices that the person gets by mail. */
export function MailSection() {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(trpc.session.mail_choices.queryOptions());
  // What the person has just chosen, until the server's choices are read again.
  const [chosen, setChosen] = useState<Partial<Record<string, boolean>>>({});
  const choose = useMutation(
    trpc.session.choose_mail.mutationOptions({
      onSettled: async (_, __, { kind }) => {
        await queries.invalidateQueries({ queryKey: trpc.session.mail_choices.queryKey() });
        setChosen(({ [kind]: __, ...others }) => others);
      },
    }),
  );
  // Without a mail server, a choice would change nothing.
  const choices = data?.on ? data.kinds : [];
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-label={t('mail.title')}>
      <Stack>
        <Title order={2} size="h5">
          {t('mail.title')}
        </Title>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingRows rows={3} height={44} />}
        <Problem error={choose.error} />
        {data && (
          <>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {data.on ? t('mail.on', { email: data.email }) : t('mail.off')}
            </Text>
            {data.on && !data.address_proven && (
              <Alert color="yellow" title={t('mail.unproven')}>
                {t.rich('mail.unprovenText', { link: (chunks) => <Anchor href="/password">{chunks}</Anchor> })}
              </Alert>
            )}
            {data.on && data.kinds.length === 0 && <Text size="sm">{t('mail.none')}</Text>}
            {choices.map(({ kind, wanted }) => (
              <Checkbox
                key={kind}
                label={t(`notices.${kind}.label`)}
                description={t(`notices.${kind}.text`)}
                checked={chosen[kind] ?? wanted}
                onChange={({ currentTarget: { checked } }) => {
                  setChosen((before) => ({ ...before, [kind]: checked }));
                  choose.mutate({ kind, wanted: checked });
                }}
              />
            ))}
          </>
        )}
      </Stack>
    </Paper>
  );
}
