import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Handler } from '@/lib/http/routes';
import { inStudio } from '@/lib/http/studio-dialect';
import { routeModules } from './testing/route-modules';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

test('every route export is in the registry, under its own path, and back', async () => {
  const found: string[] = [];
  for (const { path, load } of await routeModules()) {
    const { dynamic, ...routeExport } = await load();
    // Otherwise Next hands over a proxy of the request that watches every access, to find out what is static.
    expect(dynamic).toBe('force-dynamic');
    expect(Object.keys(routeExport).sort()).toEqual([...methods].sort());
    for (const handler of Object.values(routeExport) as Handler[]) {
      if (!handler.route) continue;
      expect(handler.route.path).toBe(path);
      found.push(handler.route.id);
    }
  }
  expect(found.sort()).toEqual(registry.map(({ id }) => id).sort());
  expect(new Set(found).size).toBe(found.length);
  // Loads every route file there is.
});

test('/api/studio has every endpoint that is for API keys or players', () => {
  const ownMountOnly = ['getHealth', 'getLiveness', 'getReadiness', 'getOpenApi', 'describeEmbed'];
  const expected = registry.filter(({ auth, id, path }) =>
    auth === 'public'
      ? !path.startsWith('/api/dashboard/') && !ownMountOnly.includes(id)
      : auth === 'key-or-session',
  );
  expect(registry.filter(inStudio)).toEqual(expected);
  // One check for each path: its endpoints are either all there or all not.
  const paths = (inside: boolean) =>
    new Set(registry.filter((endpoint) => inStudio(endpoint) === inside).map(({ path }) => path));
  expect([...paths(true)].filter((path) => paths(false).has(path))).toEqual([]);
});

test('CORS-enabled keys may call exactly the listed endpoints', () => {
  const specified = [
    'POST /api/stream',
    'GET /api/stream/{id}',
    'GET /api/stream/{id}/sessions',
    'GET /api/session/{id}',
    'PATCH /api/stream/{id}',
    'POST /api/asset/request-upload',
    'GET /api/asset/{id}',
    'POST /api/asset/{id}/export',
    'POST /api/asset/{id}/transcode',
    'GET /api/task/{id}',
  ];
  const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  const existing = registry.map(name);
  expect(
    registry
      // Web pages may read public totals without a key, so with one as well.
      .filter(({ corsKeyAllowed, keyOptional }) => corsKeyAllowed && !keyOptional)
      .map(name)
      .sort(),
  ).toEqual(specified.filter((endpoint) => existing.includes(endpoint)).sort());
});

test('the OpenAPI document is valid 3.1, and every operation of the registry is in it', async () => {
  const document = openApiOf(registry, 'http://localhost:3000');
  // On several lines: the validator takes a text of one line for the name of a file.
  const result = await new Validator().validate(JSON.stringify(document, null, 1));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  const operations = Object.values(document.paths ?? {}).flatMap(
    (path) => Object.values(path as object) as { operationId?: string }[],
  );
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
    registry.map(({ id }) => id).sort(),
  );
  expect(JSON.stringify(document)).toContain('"#/components/schemas/Stream"');
});

describe.each(registry.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test('its examples match its schemas', () => {
    const { params, body, response } = endpoint.example;
    if (endpoint.params) endpoint.params.parse(params);
    if (endpoint.body) endpoint.body.parse(body);
    if (endpoint.response && response !== undefined)
      expect(endpoint.response.parse(response)).toEqual(response);
  });

  test('is for API keys outside /api/dashboard and /api/admin, for sessions inside', () => {
    // Nodes can be listed with a key, too: programs watch them.
    if (endpoint.path.startsWith('/api/admin/')) expect(endpoint.operatorOnly).toBe(true);
    else if (endpoint.path.startsWith('/api/dashboard/')) expect(endpoint.auth).not.toBe('key-or-session');
    else expect(endpoint.auth).not.toBe('session');
  });

  test('its placeholders are its parameters', () => {
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.params?.shape ?? {}).sort()).toEqual(placeholders.sort());
  });
});
