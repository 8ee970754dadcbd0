import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { exclusively } from './exclusive.mjs';
import { hashFiles } from './service/input-hash';

const root = join(import.meta.dirname, '..');
const marker = join(root, 'lib', 'generated', 'prisma.hash');

/** `npm run generate`: generates the Prisma client in lib/generated/prisma. */
export default async function generate(): Promise<void> {
  const hasGenerated = await generateClient((line) => console.error(line));
  console.error(hasGenerated ? 'Generated lib/generated/prisma' : 'lib/generated/prisma is up to date');
}

/**
 * Generates the Prisma client if the schema or Prisma has changed.
 * @returns whether it was generated
 */
export async function generateClient(log: (line: string) => void): Promise<boolean> {
  if (isFresh()) return false;
  return exclusively(join(root, '.cache', 'generate.lock'), 'generating the Prisma client', log, async () => {
    if (isFresh()) return false;
    log('Generating the Prisma client …');
    const hash = computeInputHash();
    await promisify(execFile)(process.execPath, [prismaCli(), 'generate'], {
      cwd: root,
      timeout: 120_000,
      env: {
        ...process.env,
        // Any executable prevents the download of the engine, which is not needed to generate the client.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    });
    await mkdir(dirname(marker), { recursive: true });
    await writeFile(marker, hash);
    return true;
  });
}

function isFresh(): boolean {
  const client = join(root, 'lib', 'generated', 'prisma', 'client.ts');
  return existsSync(client) && existsSync(marker) && readFileSync(marker, 'utf8') === computeInputHash();
}

function computeInputHash(): string {
  const prisma = join(dirname(dirname(prismaCli())), 'package.json');
  return hashFiles(root, ['prisma/schema.prisma', 'prisma.config.ts', prisma]);
}

function prismaCli(): string {
  return createRequire(import.meta.url).resolve('prisma/build/index.js');
}
