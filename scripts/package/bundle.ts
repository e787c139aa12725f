import { join } from 'node:path';
import { build } from 'esbuild';
import { PROGRAM } from '../bootstrap/bundle.mjs';

/** Bundles the scripts of commands, because a packaged folder has neither sources nor a compiler. Returns the paths. */
export async function bundleCommands(root: string, commands: string[], outdir: string): Promise<string[]> {
  await build({
    absWorkingDir: root,
    entryPoints: commands.map((command) => ({ in: `scripts/${command}.ts`, out: command })),
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    ...PROGRAM,
  });
  return commands.map((command) => join(outdir, `${command}.mjs`));
}

/** Writes next.config.ts as JavaScript, which Next.js loads without its native compiler. */
export async function bundleConfig(root: string, folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['next.config.ts'],
    outfile: join(folder, 'next.config.mjs'),
    ...PROGRAM,
  });
}
