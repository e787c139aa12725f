'use client';

import { Anchor, type AnchorProps } from '@mantine/core';
import NextLink from 'next/link';
import type { ComponentProps } from 'react';
import { useTenantHref } from './tenant';

type Props = Omit<ComponentProps<typeof NextLink>, 'href'> & { href: string };

/**
 * A link to a page of the same tenant. Nothing is loaded before the user clicks the link. By default, Next.js would
 * send two requests in advance for each visible link. Their responses would be empty, because pages are rendered per
 * request.
 */
export function Link({ href, ...props }: Props) {
  const hrefOf = useTenantHref();
  return <NextLink prefetch={false} href={hrefOf(href)} {...props} />;
}

/** A `Link` as part of a text, in the size of most texts, unless `fz`, `size`, or `inherit` is set. */
export function TextLink(props: AnchorProps & Omit<Props, keyof AnchorProps>) {
  const hasSize = props.inherit === true || props.fz !== undefined;
  return <Anchor component={Link} {...(!hasSize && { size: 'sm' })} {...props} />;
}
