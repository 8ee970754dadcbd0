import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface RouteModule {
  /** Path in the spelling of the endpoint definition: `/api/stream/{id}`. */
  readonly path: string;
  readonly pattern: RegExp;
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
}

let modulesPromise: Promise<RouteModule[]> | undefined;

/** The route files under app/api, the most specific path first, without next-auth's own. */
export function routeModules(): Promise<RouteModule[]> {
  modulesPromise ??= findModules();
  return modulesPromise;
}

async function findModules(): Promise<RouteModule[]> {
  const files = await readdir(root, { recursive: true });
  return files
    .filter((file) => file.endsWith('/route.ts') && !file.startsWith('auth/'))
    .map((file) => moduleOf(join(root, file)))
    .sort((a, b) => placeholders(a.path) - placeholders(b.path));
}

function moduleOf(file: string): RouteModule {
  const path = `/api/${relative(root, file).replace(/\/route\.ts$/, '')}`.replaceAll(
    /\[(?:\.\.\.)?(\w+)\]/g,
    '{$1}',
  );
  const isCatchAll = file.includes('[...');
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll(/\{(\w+)\}/g, isCatchAll ? '(?<$1>.+)' : '(?<$1>[^/]+)');
  return {
    path,
    pattern: new RegExp(`^${source}$`),
    load: () => import(/* @vite-ignore */ file) as Promise<Readonly<Record<string, unknown>>>,
  };
}

function placeholders(path: string): number {
  return (path.includes('{path}') ? 100 : 0) + path.split('{').length;
}
