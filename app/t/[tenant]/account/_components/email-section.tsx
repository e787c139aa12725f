'use client';

import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import { Dialog } from '../../_components/dialogs/dialog';
import { ProofForm } from '../../_components/dialogs/proof-form';
import { Panel } from '../../_components/panel';
import { useTRPC } from '../../_components/trpc';

type Props = { email: string; proven: boolean; withPassword: boolean; mail: boolean };

/** The person's address, with a button that mails a link to a new one, or what the person must do first. */
export function EmailSection({ email, ...account }: Props) {
  const t = useTranslations('account.email');
  const [opened, setOpened] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const b = (chunks: ReactNode) => <b>{chunks}</b>;
  const obstacle = obstacleOf(account, t);
  return (
    <Panel title={t('title')}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('signInAs', { email, b })}
      </Text>
      {obstacle}
      {sentTo !== null && (
        <Text role="status" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t.rich('sent', { email: sentTo, b })}
        </Text>
      )}
      {obstacle === null && (
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setOpened(true)}>
            {t('change')}
          </Button>
        </Group>
      )}
      <AddressDialog opened={opened} onClose={() => setOpened(false)} onSent={setSentTo} />
    </Panel>
  );
}

function obstacleOf({ mail, proven, withPassword }: Omit<Props, 'email'>, t: Translator<'account.email'>) {
  if (!mail) return <Hint>{t('offline')}</Hint>;
  if (proven && withPassword) return null;
  return (
    <Hint>
      {t.rich(proven ? 'needPassword' : 'needProof', {
        link: (chunks) => <Anchor href="/password">{chunks}</Anchor>,
      })}
    </Hint>
  );
}

type DialogProps = { opened: boolean; onClose: () => void; onSent: (email: string) => void };

function AddressDialog({ opened, onClose, onSent }: DialogProps) {
  const t = useTranslations('account.email');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const [email, setEmail] = useState('');
  const request = useMutation(
    trpc.session.change_email.mutationOptions({
      gcTime: 0,
      onSuccess: (_, given) => {
        onSent(given.email);
        onClose();
      },
    }),
  );
  const [field] = request.error?.data?.fields ?? [];
  const wrong = field?.path === 'email' ? tCommon('fieldProblem', { message: field.message }) : null;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => {
        request.reset();
        setEmail('');
      }}
      title={t('dialog')}
      size="lg"
    >
      <ProofForm
        text={t('dialogText')}
        verb={t('mailLink')}
        busy={request.isPending}
        error={wrong === null ? request.error : null}
        disabled={email.trim() === ''}
        onCancel={onClose}
        onProof={(proof) => request.mutate({ ...proof, email: email.trim() })}
      >
        <TextInput
          label={t('new')}
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          data-autofocus
          value={email}
          error={wrong}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </ProofForm>
    </Dialog>
  );
}
