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
 * The elements of a table. Mantine's `Table` is not used, because it would also load `ScrollArea` and floating
 * elements, which would make up a tenth of a page's script. The elements take no style props. Style props would need a
 * Mantine `Box` per cell, which would take a sixth of the processor time that the server needs to render a long list.
 */
export const Table = Object.assign((props: Props) => <Part tag="table" {...props} />, {
  Thead: (props: Props) => <Part tag="thead" {...props} />,
  Tbody: (props: Props) => <Part tag="tbody" {...props} />,
  Tr: (props: Props) => <Part tag="tr" {...props} />,
  Th: (props: Props) => <Part tag="th" {...props} />,
  Td: (props: Props) => <Part tag="td" {...props} />,
});
