import type { DeliveryState, Endpoint } from '../../../../_components/api-types';
import { StateBadge } from '../../../_components/state-badge';
import { STATE_NAMES } from './words';

const ENDPOINT = {
  active: { tone: 'good', name: 'Active' },
  paused: { tone: 'warning', name: 'Paused' },
  disabled: { tone: 'bad', name: 'Disabled' },
} as const;

const TONES = { pending: 'neutral', held: 'warning', succeeded: 'good', failed: 'bad' } as const;

/** An endpoint's state. */
export function EndpointState({ state, failing = false }: { state: Endpoint['state']; failing?: boolean }) {
  if (state === 'active' && failing) return <StateBadge tone="warning">Active, failing</StateBadge>;
  return <StateBadge tone={ENDPOINT[state].tone}>{ENDPOINT[state].name}</StateBadge>;
}

/** A delivery's state. */
export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <StateBadge tone={TONES[state]}>{STATE_NAMES[state]}</StateBadge>;
}
