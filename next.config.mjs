// This file is JavaScript, because Next.js would load its native compiler at every start to compile TypeScript.
/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // A path with a trailing slash is an unknown route, not a redirect (contract B2).
  skipTrailingSlashRedirect: true,
  // Node must load native modules and modules with process-wide state. Next.js must not bundle them.
  serverExternalPackages: [
    'pg',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
  ],
  // The image optimizer would request images from this server without passing through the edge.
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  typescript: { ignoreBuildErrors: true },
};

export default config;
