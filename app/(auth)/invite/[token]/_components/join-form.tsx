'use client';

import { Button, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useSend } from '@/app/(auth)/_components/send-form';
import { Problem } from '@/app/t/[tenant]/_components/forms/form-end';

/** Returns the id of the tenant that the person has joined. `body` is the response to an accepted invitation. */
export function tenantOf(body: unknown): string {
  return (body as { tenant_id: string }).tenant_id;
}

/** The form that a signed-in user with a proven address submits to accept an invitation. */
export function JoinForm({ token }: { token: string }) {
  const t = useTranslations('signIn');
  const { problem, busy, run } = useSend(null, t('invitation.endedNow'));
  const join = async () => {
    const joined = await run('/api/invite', { token, signed_in: true });
    if (joined) window.location.assign(`/t/${tenantOf(joined.body)}`);
  };
  return (
    <Stack>
      <Problem error={problem} />
      <Button fullWidth loading={busy} onClick={() => void join()}>
        {t('invitation.join')}
      </Button>
    </Stack>
  );
}
