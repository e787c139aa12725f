import { createHash } from 'node:crypto';

/** Returns JSON in which the order of fields does not count, and neither do fields that are null (contract B8). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
    .join(',')}}`;
}

/**
 * Returns the idempotency key of a write: the same for the same arguments in the same conversation, so that an agent
 * that repeats a call never books twice (contract B8).
 */
export function keyOf(conversation: string, tool: string, args: object): string {
  return `mcp-${createHash('sha256')
    .update(canonical([conversation, tool, args]))
    .digest('base64url')}`;
}
