import { StateBadge } from '../../applications/_components/state-badge';

/** Whether partners see a record. */
export function Published({ published }: { published: boolean }) {
  return published ? (
    <StateBadge tone="good">Published</StateBadge>
  ) : (
    <StateBadge tone="neutral">Not published</StateBadge>
  );
}
