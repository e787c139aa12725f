import type { PartnerScope } from '@/lib/contract/common';
import { trimName } from '@/lib/platform/text/name';
import type { ApplicationDetail } from '../../../_components/api-types';

/** A policy with the field names of the API. The server's errors use the same field names. */
export type Policy = {
  name: string;
  scopes: PartnerScope[];
  all_locations: boolean;
  location_ids: string[];
  origins: string[];
  networks: string[];
  quota: number;
  agents_ask: boolean;
};

/**
 * The form's values: a policy and two drafts. One draft is the text in the input for a new origin, the other is the
 * text in the input for a new network. The user has not added these texts to the lists yet.
 */
export type PolicyValues = Omit<Policy, 'quota'> & {
  quota: number | string;
  origin_draft: string;
  network_draft: string;
};

/** The policy of a new application: read access to all locations from any network. */
export const NEW_POLICY: Policy = {
  name: '',
  scopes: ['catalog.read', 'availability.read'],
  all_locations: true,
  location_ids: [],
  origins: [],
  networks: [],
  quota: 600,
  agents_ask: true,
};

/** Returns only the policy from an application's details. */
export function policyOf(detail: ApplicationDetail): Policy {
  const { name, scopes, all_locations, location_ids, origins, networks, quota, agents_ask } = detail;
  return { name, scopes, all_locations, location_ids, origins, networks, quota, agents_ask };
}

/** Returns the form's values for a policy. */
export function valuesOf(policy: Policy): PolicyValues {
  return { ...policy, origin_draft: '', network_draft: '' };
}

/** Returns the policy that the form's values describe. */
export function policyFrom({ origin_draft: _, network_draft: __, ...values }: PolicyValues): Policy {
  return { ...values, name: trimName(values.name), quota: Number(values.quota) };
}

/** The parts of a policy. Each part is compared and merged as a whole. */
export type Part = 'name' | 'scopes' | 'locations' | 'origins' | 'networks' | 'quota' | 'agents';

const PARTS: readonly Part[] = ['name', 'scopes', 'locations', 'origins', 'networks', 'quota', 'agents'];

function partOf(policy: Policy, part: Part): readonly string[] {
  if (part === 'name') return [policy.name];
  if (part === 'quota') return [String(policy.quota)];
  if (part === 'agents') return [policy.agents_ask ? 'ask' : 'alone'];
  if (part === 'locations') return policy.all_locations ? ['*'] : [...policy.location_ids].sort();
  return [...policy[part]].sort();
}

/** Returns the parts in which two policies differ. The order of the entries in a list is ignored. */
export function changedParts(before: Policy, after: Policy): Part[] {
  return PARTS.filter((part) => partOf(before, part).join('\n') !== partOf(after, part).join('\n'));
}

/** Returns what a change removes from one part of a policy, and what it adds. `*` stands for all locations. */
export function difference(before: Policy, after: Policy, part: Part): { removed: string[]; added: string[] } {
  const old = partOf(before, part);
  const next = partOf(after, part);
  return {
    removed: old.filter((entry) => !next.includes(entry)),
    added: next.filter((entry) => !old.includes(entry)),
  };
}

/**
 * Merges the user's changes (`mine`) into a newer policy that another user saved (`theirs`). Parts that the user
 * changed keep the user's values. All other parts take the saved values. `both` lists the parts that the two users
 * changed to different values.
 */
export function mergePolicies(base: Policy, mine: Policy, theirs: Policy): { policy: Policy; both: Part[] } {
  const touched = changedParts(base, mine);
  const elsewhere = changedParts(base, theirs);
  const has = (part: Part) => touched.includes(part);
  const places = has('locations') ? mine : theirs;
  const policy: Policy = {
    name: has('name') ? mine.name : theirs.name,
    scopes: has('scopes') ? mine.scopes : theirs.scopes,
    all_locations: places.all_locations,
    location_ids: places.location_ids,
    origins: has('origins') ? mine.origins : theirs.origins,
    networks: has('networks') ? mine.networks : theirs.networks,
    quota: has('quota') ? mine.quota : theirs.quota,
    agents_ask: has('agents') ? mine.agents_ask : theirs.agents_ask,
  };
  const stillDiffers = changedParts(mine, theirs);
  return { policy, both: touched.filter((part) => elsewhere.includes(part) && stillDiffers.includes(part)) };
}
