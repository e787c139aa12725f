'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { KeyRow } from '../../../../_components/api-types';
import { DAY } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { Countdown } from '../../../_components/countdown';
import { StateBadge } from '../../../_components/state-badge';

type Props = {
  keyRow: KeyRow;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  ahead: number;
  onEnd: () => void;
};

/**
 * Shows a key's status. For a revoked or expired key, also shows when it ended. For a rotated or expiring key, also
 * shows how long it still works.
 */
export function KeyState({ keyRow, ahead, onEnd }: Props) {
  const t = useTranslations('applications.keyState');
  const { status, ends_at: endsAt, revoked_at: revokedAt, rotated_to_id: successor } = keyRow;
  if (status === 'active') return <StateBadge tone="good">{t('active')}</StateBadge>;
  if (status === 'revoked') {
    return (
      <>
        <StateBadge tone="neutral">{t('revoked')}</StateBadge>
        {revokedAt && <Since at={revokedAt} />}
      </>
    );
  }
  if (status === 'expired') {
    return (
      <>
        <StateBadge tone="neutral">{t(successor ? 'replaced' : 'expired')}</StateBadge>
        {endsAt && <Since at={endsAt} />}
      </>
    );
  }
  return (
    <>
      <StateBadge tone="warning">{t(status === 'rotated' ? 'rotated' : 'expiring')}</StateBadge>
      {endsAt && <Countdown endsAt={Date.parse(endsAt) - ahead} onEnd={onEnd} />}
    </>
  );
}

function Since({ at }: { at: string }) {
  return (
    <Text size="xs" c="dimmed">
      <Time value={at} options={DAY} />
    </Text>
  );
}
