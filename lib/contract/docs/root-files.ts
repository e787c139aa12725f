import { BASE_PATH } from '../operations';
import type { Deployment } from './deployment';
import { llmsFullText, llmsText } from './llms';
import { PAGES } from './pages';
import { API_CATALOG } from './root-paths';

/** A file at the root of the host. */
export type RootFile = { type: string; text: string; headers?: Record<string, string> };

/** RFC 9727, section 4.2. */
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

function apiCatalog({ origin }: Deployment): string {
  const api = origin + BASE_PATH;
  const linkset = [
    { anchor: origin + API_CATALOG, item: [{ href: api }] },
    {
      anchor: api,
      'service-desc': [{ href: `${origin}/docs/openapi.json`, type: 'application/json', title: 'OpenAPI 3.1' }],
      'service-doc': [
        { href: `${origin}/docs`, type: 'text/html' },
        { href: `${origin}/llms.txt`, type: 'text/plain' },
      ],
    },
  ];
  return JSON.stringify({ linkset }, null, 2);
}

const ROBOTS = `User-agent: *
Allow: /docs
Allow: /llms.txt
Allow: /llms-full.txt
Allow: ${API_CATALOG}
Disallow: /
`;

const text = (build: (deployment: Deployment) => string) => (deployment: Deployment) => ({
  type: 'text/plain; charset=utf-8',
  text: build(deployment),
});

const FILES: Record<string, (deployment: Deployment) => RootFile> = {
  '/llms.txt': text((deployment) => llmsText(PAGES, deployment)),
  '/llms-full.txt': text((deployment) => llmsFullText(PAGES, deployment)),
  '/robots.txt': text(() => ROBOTS),
  [API_CATALOG]: (deployment) => ({
    type: LINKSET,
    text: apiCatalog(deployment),
    headers: { Link: `<${API_CATALOG}>; rel="api-catalog"` },
  }),
};

/** Returns the file at a path at the root of the host, or null. */
export function rootFile(path: string, deployment: Deployment): RootFile | null {
  return Object.hasOwn(FILES, path) ? (FILES[path]?.(deployment) ?? null) : null;
}
