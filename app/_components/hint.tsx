import { Text, type TextProps } from '@mantine/core';
import type { HTMLAttributes } from 'react';

type Props = TextProps & Omit<HTMLAttributes<HTMLParagraphElement>, keyof TextProps>;

/** Less prominent text, which explains what is beside it. */
export function Hint(props: Props) {
  return <Text size="sm" c="dimmed" {...props} />;
}
