'use client';

import { Alert, Anchor, Checkbox, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../_components/forms/form-end';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';

/** The kinds of notices that the person gets by mail. */
export function MailSection() {
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
  return (
    <Paper component="section" withBorder p="md" maw={520} bg="var(--app-surface)" aria-label="Email">
      <Stack>
        <Title order={2} size="h5">
          Email
        </Title>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingRows rows={3} height={44} />}
        <Problem error={choose.error} />
        {data && (
          <>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {data.on
                ? `Mails to ${data.email}. Warnings about your account are always sent.`
                : 'This deployment sends no email. With a mail server, you would get the notices that you choose here.'}
            </Text>
            {data.on && !data.address_proven && (
              <Alert color="yellow" title="Nobody has proven that this address is yours">
                Notices are mailed only to a proven address. To prove it, sign out, open{' '}
                <Anchor href="/password">Forgot your password?</Anchor>, and use the mailed link.
              </Alert>
            )}
            {data.kinds.length === 0 && <Text size="sm">There are no notices for your role.</Text>}
            {data.kinds.map(({ kind, label, text, wanted }) => (
              <Checkbox
                key={kind}
                label={label}
                description={text}
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
