import { StateBadge } from '../../applications/_components/state-badge';

/** A record's published state. */
export function Published({ published }: { published: boolean }) {
  return published ? (
    <StateBadge tone="good">Published</StateBadge>
  ) : (
    <StateBadge tone="neutral">Unpublished</StateBadge>
  );
}
