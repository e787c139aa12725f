// This file is JavaScript, because Next.js would compile a TypeScript configuration at every start, and would need its
// native compiler for this.
/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Disables Next's redirect for paths with a trailing slash, because such a path is an unknown route (contract B2).
  skipTrailingSlashRedirect: true,
  // Native modules and modules with process-wide state must be loaded by Node, not bundled.
  serverExternalPackages: [
    'pg',
    'pino',
    'prom-client',
    '@node-rs/argon2',
    '@prisma/client',
    '@prisma/adapter-pg',
    'inngest',
  ],
  // Disables the image optimizer, because it would request images from this server without passing through the edge.
  images: { unoptimized: true },
  experimental: { optimizePackageImports: ['@mantine/core', '@mantine/hooks', '@tabler/icons-react'] },
  typescript: { ignoreBuildErrors: true },
};

export default config;
