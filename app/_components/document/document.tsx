import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme.css';
import { ColorSchemeScript, MantineProvider, mantineHtmlProps } from '@mantine/core';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { env } from '@/lib/platform/env';
import { currentLanguage, InLanguage, translator } from '../messages';
import { tabStart } from '../tenant-path';
import { themeWith } from './theme';

/** The HTML document of every Control Center page. Its script sets the color scheme before the first paint. */
export async function Document({ children }: { children: ReactNode }) {
  const [given, { language }, t] = await Promise.all([headers(), currentLanguage(), translator('common')]);
  const theme = themeWith({ close: t('close'), dismiss: t('dismiss') });
  const nonce = given.get('x-edge-nonce') ?? undefined;
  return (
    <html lang={language} {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          <InLanguage of={['common', 'words', 'shownOnce']}>{children}</InLanguage>
        </MantineProvider>
      </body>
    </html>
  );
}

/** Returns the icon and the titles of the pages of this deployment. `name` ends each title. */
export function tabMetadata(name: string): Metadata {
  const { ENVIRONMENT: environment } = env();
  const start = tabStart(environment);
  return {
    title: { default: `${start}${name}`, template: `${start}%s · ${name}` },
    icons: { icon: { url: `/docs/${environment.toLowerCase()}.svg`, type: 'image/svg+xml' } },
    robots: { index: false },
  };
}
