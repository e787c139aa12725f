import { Badge } from '@mantine/core';

/** The environment: amber TEST or red LIVE. */
export function EnvironmentBadge({ environment }: { environment: 'TEST' | 'LIVE' }) {
  const live = environment === 'LIVE';
  return (
    <Badge
      variant="filled"
      radius="sm"
      size="lg"
      // The badge never shrinks. The business name beside it is truncated instead.
      flex="none"
      style={live ? { background: '#b3261e', color: '#fff' } : { background: '#ffce4f', color: '#2b2000' }}
    >
      {environment}
    </Badge>
  );
}
