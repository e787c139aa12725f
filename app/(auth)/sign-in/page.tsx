import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { redirect } from 'next/navigation';
import { EnvironmentBadge } from '@/app/_components/environment-badge';
import { currentMember } from '@/app/_session';
import { env } from '@/lib/env';
import { SignInCard } from './_components/sign-in-card';

type Props = { searchParams: Promise<{ next?: string | string[] }> };

export default async function SignInPage({ searchParams }: Props) {
  const next = ownPath((await searchParams).next);
  if (await currentMember()) redirect(next);
  return (
    <Stack component="main" align="center" justify="center" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} bg="var(--app-surface)">
        <Stack gap="lg">
          <Group justify="space-between" wrap="nowrap">
            <Title order={1} size="h3">
              Control Center
            </Title>
            <EnvironmentBadge environment={env().ENVIRONMENT} />
          </Group>
          <Text c="dimmed" size="sm">
            Sign in to see what your partners do.
          </Text>
          <SignInCard next={next} />
        </Stack>
      </Paper>
    </Stack>
  );
}

/** Only a path of our own: a link must not be able to send a person elsewhere after they typed their password. */
function ownPath(next: string | string[] | undefined): string {
  return typeof next === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.startsWith('/sign-in')
    ? next
    : '/';
}
