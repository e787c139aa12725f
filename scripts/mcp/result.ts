import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Outcome } from './api';

/** Returns what a tool tells the agent, as text and as data. */
export function resultOf(outcome: Outcome): CallToolResult {
  const isError = 'error' in outcome;
  const structuredContent = isError ? { error: outcome.error } : outcome.data;
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent: structuredContent as Record<string, unknown>,
    ...(isError && { isError }),
  };
}
