'use client';

import { useTranslations } from 'use-intl';
import type { DeliveryState, Endpoint } from '../../../../_components/api-types';
import { StateBadge } from '../../../_components/state-badge';

const ENDPOINT_TONES = { active: 'good', paused: 'warning', disabled: 'bad' } as const;

const TONES = { pending: 'neutral', held: 'warning', succeeded: 'good', failed: 'bad' } as const;

/** An endpoint's state. */
export function EndpointState({ state, failing = false }: { state: Endpoint['state']; failing?: boolean }) {
  const t = useTranslations('applications.endpointState');
  if (state === 'active' && failing) return <StateBadge tone="warning">{t('failing')}</StateBadge>;
  return <StateBadge tone={ENDPOINT_TONES[state]}>{t(state)}</StateBadge>;
}

/** A delivery's state. */
export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  const t = useTranslations('words.deliveryState');
  return <StateBadge tone={TONES[state]}>{t(state)}</StateBadge>;
}
