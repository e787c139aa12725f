'use client';

import { Alert, Anchor, Checkbox, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { Problem } from '../../_components/forms/form-end';
import { Panel } from '../../_components/panel';
import { NotLoaded } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';

/** The kinds of notices that the person gets by mail. */
export function MailSection() {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const done = useDone(trpc.session);
  const loaded = useQuery(trpc.session.mail_choices.queryOptions());
  const { data, error } = loaded;
  // What the person has just chosen, until the server's choices are read again.
  const [chosen, setChosen] = useState<Partial<Record<string, boolean>>>({});
  const choose = useMutation(
    trpc.session.choose_mail.mutationOptions({
      onSettled: async (_, __, { kind }) => {
        await done();
        setChosen(({ [kind]: __, ...others }) => others);
      },
    }),
  );
  // Without a mail server, a choice would change nothing.
  const choices = data?.on ? data.kinds : [];
  return (
    <Panel title={t('mail.title')}>
      {(error || !data) && <NotLoaded query={loaded} rows={3} />}
      <Problem error={choose.error} />
      {data && (
        <>
          <Hint style={{ overflowWrap: 'anywhere' }}>
            {data.on ? t('mail.on', { email: data.email }) : t('mail.off')}
          </Hint>
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
    </Panel>
  );
}
