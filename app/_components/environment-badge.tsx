import { Badge } from '@mantine/core';

/** The environment, in a colour and a word that cannot be mistaken: amber TEST, red LIVE. */
export function EnvironmentBadge({ environment }: { environment: 'TEST' | 'LIVE' }) {
  const live = environment === 'LIVE';
  return (
    <Badge
      variant="filled"
      radius="sm"
      size="lg"
      // A long name beside it gives way, the environment never.
      flex="none"
      style={live ? { background: '#b3261e', color: '#fff' } : { background: '#ffce4f', color: '#2b2000' }}
    >
      {environment}
    </Badge>
  );
}
