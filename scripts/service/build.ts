import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build as bundle, stop as stopBundler } from 'esbuild';
import { exclusively } from '../exclusive.mjs';
import { generateClient } from '../generate';
import { buildHls } from './hls-builds';
import { hashFiles } from './input-hash';
import { ExpectedError } from './expected-error';
import { runToEnd } from './run-to-end';

const root = join(import.meta.dirname, '..', '..');
const outputFolder = join(root, '.build');

interface BuildPart {
  readonly name: string;
  /** Files and folders that the result depends on, besides the lock file and the schema. */
  readonly inputs: readonly string[];
  readonly result: string;
  build(log: (line: string) => void, signal: AbortSignal): Promise<void>;
}

const pagesPart: BuildPart = {
  name: 'dashboard and API',
  inputs: [
    'app',
    'components',
    'lib',
    'messages',
    'public',
    'instrumentation-client.ts',
    'next.config.js',
    'scripts/service/hls-builds.ts',
    'postcss.config.mjs',
    'tsconfig.json',
  ],
  result: join(root, '.next', 'BUILD_ID'),
  async build(log, signal) {
    const nextPath = createRequire(import.meta.url).resolve('next/dist/bin/next');
    // Hides the list of routes.
    const progress = (line: string) => {
      if (!/^\s*([├└┌○ƒ●]|Route )/.test(line)) log(line);
    };
    // next.config.js uses these builds instead of the published ones.
    await buildHls(root, join(outputFolder, 'player'));
    // The build cache halves the time of a rebuild, but makes the first build 25 % slower.
    const hasCache = existsSync(join(root, '.next', 'BUILD_ID'));
    await runToEnd({ command: process.execPath, args: [nextPath, 'build'] }, progress, signal, {
      NODE_ENV: 'production',
      BUILD_CACHE: hasCache ? '1' : '',
      NEXT_TELEMETRY_DISABLED: '1',
    });
  },
};

/** Bundles `<folder>/index.ts` with the modules of this repository that it imports; dynamic imports become chunks. */
const createProgramPart = (
  name: string,
  folder: string,
  extraEntryPoints: { readonly in: string; readonly out: string }[] = [],
): BuildPart => ({
  name,
  inputs: ['lib', folder, 'tsconfig.json'],
  result: join(outputFolder, `${folder}.js`),
  async build() {
    await removeChunks(folder);
    const { metafile } = await bundle({
      absWorkingDir: root,
      entryPoints: [{ in: `${folder}/index.ts`, out: folder }, ...extraEntryPoints],
      outdir: outputFolder,
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
    // The bundler treats an unknown module as an external package, which would only fail at run time.
    const imports = Object.values(metafile.outputs).flatMap((part) => part.imports);
    const missingImports = imports.filter(({ path }) => path.startsWith('@/')).map(({ path }) => path);
    if (missingImports.length)
      throw new ExpectedError(`The ${name} imports modules that do not exist: ${missingImports.join(', ')}`);
  },
});

/** Removes the chunks of the previous build, whose names contain a hash of their content. */
async function removeChunks(folder: string): Promise<void> {
  const name = new RegExp(`^${folder}-[A-Z0-9]{8}\\.js(\\.map)?$`);
  for (const file of await readdir(outputFolder)) if (name.test(file)) await rm(join(outputFolder, file));
}

/** Entry point of the speech recogniser, which the media worker starts as a process. */
const recogniser = { in: 'media-worker/vod/speech/recogniser.ts', out: 'recogniser' };
const mediaWorker = createProgramPart('media worker', 'media-worker', [recogniser]);
const allParts = [mediaWorker, createProgramPart('web server', 'web'), pagesPart];

/** Builds all parts that are missing or whose inputs have changed. Only one process builds at a time. */
export function buildStaleParts(log: (line: string) => void, signal: AbortSignal): Promise<void> {
  return buildStale(allParts, log, signal);
}

/** Builds the media worker, which tests start as a process. */
export function buildMediaWorker(log: (line: string) => void, signal: AbortSignal): Promise<void> {
  return buildStale([mediaWorker], log, signal);
}

async function buildStale(
  parts: readonly BuildPart[],
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await generateClient(log);
  if (parts.every(isFresh)) return;
  await exclusively(join(root, '.cache', 'build.lock'), 'building', log, async () => {
    for (const part of parts) {
      if (isFresh(part)) continue;
      signal.throwIfAborted();
      const startedAt = performance.now();
      log(`Building ${part.name} …`);
      const hash = computeInputHash(part);
      await mkdir(outputFolder, { recursive: true });
      // Remove the marker first, so that an interrupted build does not count as complete.
      await rm(markerOf(part), { force: true });
      await part.build(log, signal);
      await writeFile(markerOf(part), hash);
      log(`Built ${part.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    // The bundler's process would run as long as the supervisor.
    await stopBundler();
  });
}

function isFresh(part: BuildPart): boolean {
  const marker = markerOf(part);
  return (
    existsSync(part.result) && existsSync(marker) && readFileSync(marker, 'utf8') === computeInputHash(part)
  );
}

function computeInputHash(part: BuildPart): string {
  return hashFiles(root, [...part.inputs, 'package-lock.json', 'prisma/schema.prisma'], ['lib/generated']);
}

function markerOf(part: BuildPart): string {
  return join(outputFolder, `${part.name.replaceAll(' ', '-')}.hash`);
}
