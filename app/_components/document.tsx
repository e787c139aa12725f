import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme.css';
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { theme } from './theme';

/** The HTML document of every Control Center page. Its script sets the color scheme before the first paint. */
export async function Document({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-edge-nonce') ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          {children}
        </MantineProvider>
      </body>
    </html>
  );
}
