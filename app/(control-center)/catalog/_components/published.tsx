import { StateBadge } from '../../applications/_components/state-badge';

/** The published state of a record. */
export function Published({ published }: { published: boolean }) {
  return published ? (
    <StateBadge tone="good">Published</StateBadge>
  ) : (
    <StateBadge tone="neutral">Unpublished</StateBadge>
  );
}
