import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build as bundle, stop as stopBundler } from 'esbuild';
import { exclusively } from '../exclusive.mjs';
import { generateClient } from '../generate';
import { hashFiles } from './input-hash';
import { ExpectedError, runToEnd } from './run-to-end';

const root = join(import.meta.dirname, '..', '..');
const output = join(root, '.build');

interface Part {
  readonly name: string;
  /** What the result depends on, besides the lock file and the schema. */
  readonly inputs: readonly string[];
  readonly result: string;
  build(say: (line: string) => void, signal: AbortSignal): Promise<void>;
}

const pages: Part = {
  name: 'dashboard and API',
  inputs: [
    'app',
    'components',
    'lib',
    'public',
    'instrumentation-client.ts',
    'next.config.js',
    'postcss.config.mjs',
    'tsconfig.json',
  ],
  result: join(root, '.next', 'BUILD_ID'),
  async build(say, signal) {
    const next = createRequire(import.meta.url).resolve('next/dist/bin/next');
    // The list of routes, page after page, is no progress.
    const progress = (line: string) => {
      if (!/^\s*([├└┌○ƒ●]|Route )/.test(line)) say(line);
    };
    // A cache makes the next build twice as fast, and the first one a quarter slower.
    const cached = existsSync(join(root, '.next', 'BUILD_ID'));
    await runToEnd({ command: process.execPath, args: [next, 'build'] }, progress, signal, {
      NODE_ENV: 'production',
      BUILD_CACHE: cached ? '1' : '',
      NEXT_TELEMETRY_DISABLED: '1',
    });
  },
};

/** A process of its own: `<folder>/index.ts` with all of ours that it imports; what it imports later lies in chunks. */
const program = (name: string, folder: string): Part => ({
  name,
  inputs: ['lib', folder, 'tsconfig.json'],
  result: join(output, `${folder}.js`),
  async build() {
    await removeChunks(folder);
    const { metafile } = await bundle({
      absWorkingDir: root,
      entryPoints: [{ in: `${folder}/index.ts`, out: folder }],
      outdir: output,
      chunkNames: `${folder}-[hash]`,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      sourcemap: true,
      metafile: true,
      logLevel: 'warning',
    });
    // What the bundler does not find it takes for a package, which would fail only when it runs.
    const imports = Object.values(metafile.outputs).flatMap((part) => part.imports);
    const missing = imports.filter(({ path }) => path.startsWith('@/')).map(({ path }) => path);
    if (missing.length)
      throw new ExpectedError(`The ${name} imports what is not there: ${missing.join(', ')}`);
  },
});

/** Their names change with their contents; other programs are built into the same folder. */
async function removeChunks(folder: string): Promise<void> {
  const name = new RegExp(`^${folder}-[A-Z0-9]{8}\\.js(\\.map)?$`);
  for (const file of await readdir(output)) if (name.test(file)) await rm(join(output, file));
}

const mediaWorker = program('media worker', 'media-worker');
const everything = [mediaWorker, program('web server', 'web'), pages];

/** Builds what is missing or older than its inputs; one process at a time in a checkout. */
export function buildStaleParts(say: (line: string) => void, signal: AbortSignal): Promise<void> {
  return buildStale(everything, say, signal);
}

/** What tests start as processes of their own. */
export function buildMediaWorker(say: (line: string) => void, signal: AbortSignal): Promise<void> {
  return buildStale([mediaWorker], say, signal);
}

async function buildStale(
  parts: readonly Part[],
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await generateClient(say);
  if (parts.every(isFresh)) return;
  await exclusively(join(root, '.cache', 'build.lock'), 'building', say, async () => {
    for (const part of parts) {
      if (isFresh(part)) continue;
      signal.throwIfAborted();
      const started = performance.now();
      say(`Building ${part.name} …`);
      const wanted = inputHash(part);
      await mkdir(output, { recursive: true });
      // Removed first: a build that is interrupted must not pass for a finished one.
      await rm(markerOf(part), { force: true });
      await part.build(say, signal);
      await writeFile(markerOf(part), wanted);
      say(`Built ${part.name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
    // The bundler's process would stay with the supervisor for ever.
    await stopBundler();
  });
}

function isFresh(part: Part): boolean {
  const marker = markerOf(part);
  return existsSync(part.result) && existsSync(marker) && readFileSync(marker, 'utf8') === inputHash(part);
}

function inputHash(part: Part): string {
  return hashFiles(root, [...part.inputs, 'package-lock.json', 'prisma/schema.prisma'], ['lib/generated']);
}

function markerOf(part: Part): string {
  return join(output, `${part.name.replaceAll(' ', '-')}.hash`);
}
