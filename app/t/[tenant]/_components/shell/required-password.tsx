'use client';

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { PasswordForm } from '../../account/_components/password-form';
import { signOutHere } from './sign-out';

/** Replaces every page until the member has set a password of their own instead of the one that the operator issued. */
export function RequiredPassword() {
  return (
    <Stack component="main" maw={552} mx="auto" p="md" py="xl">
      <Title order={1} size="h3">
        Set a new password
      </Title>
      <Text size="sm">
        The operator issued the password with which you signed in. It works only for a short time. Choose your own
        password. Then continue to the Control Center.
      </Text>
      <PasswordForm current="Issued password" onChanged={() => window.location.reload()} />
      <Group>
        <Button variant="default" onClick={() => void signOutHere()}>
          Sign out
        </Button>
      </Group>
    </Stack>
  );
}
