import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface RouteModule {
  /** Path in the spelling of the endpoint definition: `/api/stream/{id}`. */
  readonly path: string;
  /** Matches the path of a request. Its groups are the parameters. */
  readonly pattern: RegExp;
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
}

let modulesPromise: Promise<RouteModule[]> | undefined;

/** The route files under app/api except those of next-auth. The most specific paths come first. */
export function routeModules(): Promise<RouteModule[]> {
  modulesPromise ??= findModules();
  return modulesPromise;
}

async function findModules(): Promise<RouteModule[]> {
  const files = await readdir(root, { recursive: true });
  return files
    .filter((file) => file.endsWith('/route.ts') && !file.startsWith('auth/'))
    .map((file) => createRouteModule(join(root, file)))
    .sort((a, b) => generalityOf(a.path) - generalityOf(b.path));
}

function createRouteModule(file: string): RouteModule {
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

/** The sort key of a path: its number of placeholders. A path that matches any number of segments sorts last. */
function generalityOf(path: string): number {
  return (path.includes('{path}') ? 100 : 0) + path.split('{').length;
}
