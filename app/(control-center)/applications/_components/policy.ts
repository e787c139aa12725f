import type { Scope } from '@/lib/contract/common';
import { trimName } from '@/lib/platform/text/name';
import type { ApplicationDetail } from '../../_components/api-types';

/** A policy as it is sent; its field names are those of the server's errors. */
export type Policy = {
  name: string;
  scopes: Scope[];
  all_locations: boolean;
  location_ids: string[];
  origins: string[];
  networks: string[];
  quota: number;
};

/** What the form holds: a policy, and what is being typed into its two lists. */
export type PolicyValues = Omit<Policy, 'quota'> & {
  quota: number | string;
  origin_draft: string;
  network_draft: string;
};

/** Where a new application begins: it may read everywhere, from anywhere. */
export const NEW_POLICY: Policy = {
  name: '',
  scopes: ['catalog.read', 'availability.read'],
  all_locations: true,
  location_ids: [],
  origins: [],
  networks: [],
  quota: 600,
};

/** Returns the policy of an application. */
export function policyOf(detail: ApplicationDetail): Policy {
  const { name, scopes, all_locations, location_ids, origins, networks, quota } = detail;
  return { name, scopes, all_locations, location_ids, origins, networks, quota };
}

/** Returns the form's values for a policy. */
export function valuesOf(policy: Policy): PolicyValues {
  return { ...policy, origin_draft: '', network_draft: '' };
}

/** Returns the policy that the form's values stand for. */
export function policyFrom({ origin_draft: _, network_draft: __, ...values }: PolicyValues): Policy {
  return { ...values, name: trimName(values.name), quota: Number(values.quota) };
}

/** The parts of a policy that a person thinks of as one. */
export type Part = 'name' | 'scopes' | 'locations' | 'origins' | 'networks' | 'quota';

const PARTS: readonly Part[] = ['name', 'scopes', 'locations', 'origins', 'networks', 'quota'];

function partOf(policy: Policy, part: Part): readonly string[] {
  if (part === 'name') return [policy.name];
  if (part === 'quota') return [String(policy.quota)];
  if (part === 'locations') return policy.all_locations ? ['*'] : [...policy.location_ids].sort();
  return [...policy[part]].sort();
}

/** Returns the parts in which two policies differ; the order of a list does not count. */
export function changedParts(before: Policy, after: Policy): Part[] {
  return PARTS.filter((part) => partOf(before, part).join('\n') !== partOf(after, part).join('\n'));
}

/** Returns what a change takes away and adds in one part; all locations is `*`. */
export function difference(before: Policy, after: Policy, part: Part): { removed: string[]; added: string[] } {
  const old = partOf(before, part);
  const next = partOf(after, part);
  return {
    removed: old.filter((entry) => !next.includes(entry)),
    added: next.filter((entry) => !old.includes(entry)),
  };
}

/**
 * Returns what a person meant after somebody else saved first: the parts they touched stay theirs, all others become
 * what was saved meanwhile. `both` names the parts that both changed.
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
  };
  const stillDiffers = changedParts(mine, theirs);
  return { policy, both: touched.filter((part) => elsewhere.includes(part) && stillDiffers.includes(part)) };
}
