import { Button } from '@mantine/core';

type Props = { label: string; onClick: () => void; children: string };

/** A button in a row of a table. `label` also names the record, for screen readers. */
export function RowButton({ label, ...props }: Props) {
  const style = { variant: 'subtle', color: 'gray', c: 'var(--mantine-color-text)', size: 'compact-sm' } as const;
  return <Button {...style} aria-label={label} {...props} />;
}
