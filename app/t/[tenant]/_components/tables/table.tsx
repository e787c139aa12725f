'use client';

import { type ComponentPropsWithoutRef, createElement } from 'react';
import styles from './table.module.css';

type Props = ComponentPropsWithoutRef<'td'>;

// The elements of a stacked table have a CSS `display` value that is unusual for tables, so some browsers drop their
// implicit roles. The roles are therefore set explicitly.
const ROLES = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' };

function Part({ tag, className, ...props }: Props & { tag: keyof typeof ROLES }) {
  const classes = className ? `${styles[tag]} ${className}` : styles[tag];
  return createElement(tag, { role: ROLES[tag], ...props, className: classes });
}

/**
 * The elements of a table. Mantine's `Table` is not used, because it also loads `ScrollArea` and floating elements.
 * These would be a tenth of a page's script. The elements take no style props, because each cell would then need a
 * Mantine `Box`. In a long list, these boxes would take a sixth of the processor time of rendering on the server.
 */
export const Table = Object.assign((props: Props) => <Part tag="table" {...props} />, {
  Thead: (props: Props) => <Part tag="thead" {...props} />,
  Tbody: (props: Props) => <Part tag="tbody" {...props} />,
  Tr: (props: Props) => <Part tag="tr" {...props} />,
  Th: (props: Props) => <Part tag="th" {...props} />,
  Td: (props: Props) => <Part tag="td" {...props} />,
});
