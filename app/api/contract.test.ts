import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { Handler } from '@/lib/http/routes';
import { existsInStudioApi } from '@/lib/http/studio-dialect';
import { routeModules } from './testing/route-modules';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

test('every route export is in the registry under its own path, and vice versa', async () => {
  const exportedEndpoints: string[] = [];
  for (const { path, load } of await routeModules()) {
    const { dynamic, ...routeExport } = await load();
    // Without force-dynamic, Next replaces the request by a proxy that detects static routes by the accesses to the request.
    expect(dynamic).toBe('force-dynamic');
    expect(Object.keys(routeExport).sort()).toEqual([...methods].sort());
    for (const handler of Object.values(routeExport) as Handler[]) {
      if (!handler.route) continue;
      expect(handler.route.path).toBe(path);
      exportedEndpoints.push(handler.route.id);
    }
  }
  expect(exportedEndpoints.sort()).toEqual(registry.map(({ id }) => id).sort());
  expect(new Set(exportedEndpoints).size).toBe(exportedEndpoints.length);
});

test('/api/studio has every endpoint for API keys or players', () => {
  const idsOutsideStudio = ['getHealth', 'getLiveness', 'getReadiness', 'getOpenApi', 'describeEmbed'];
  const expected = registry.filter(({ auth, id, path }) =>
    auth === 'public'
      ? !path.startsWith('/api/dashboard/') && !idsOutsideStudio.includes(id)
      : auth === 'key-or-session',
  );
  expect(registry.filter(existsInStudioApi)).toEqual(expected);
  // One check per path: either all endpoints of a path are under /api/studio, or none.
  const paths = (inside: boolean) =>
    new Set(registry.filter((endpoint) => existsInStudioApi(endpoint) === inside).map(({ path }) => path));
  expect([...paths(true)].filter((path) => paths(false).has(path))).toEqual([]);
});

test('browser keys may call exactly the listed endpoints', () => {
  const specifiedEndpoints = [
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
  expect(
    registry
      // Web pages may read public totals without a key, and therefore with a key as well.
      .filter(({ corsKeyAllowed, keyOptional }) => corsKeyAllowed && !keyOptional)
      .map(name)
      .sort(),
  ).toEqual(specifiedEndpoints.sort());
});

test('the OpenAPI document is valid 3.1 and contains every operation of the registry', async () => {
  const document = createOpenApi(registry, 'http://localhost:3000');
  // The document is formatted in several lines, because the validator takes a text of one line for a file name.
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
  test('has examples that match its schemas', () => {
    const { params, body, response } = endpoint.example;
    if (endpoint.params) endpoint.params.parse(params);
    if (endpoint.body) endpoint.body.parse(body);
    if (endpoint.response && response !== undefined)
      expect(endpoint.response.parse(response)).toEqual(response);
  });

  test('is for operators under /api/admin, takes no API key under /api/dashboard, and needs no session elsewhere', () => {
    // Monitoring programs may list nodes with an API key.
    if (endpoint.path.startsWith('/api/admin/')) expect(endpoint.operatorOnly).toBe(true);
    else if (endpoint.path.startsWith('/api/dashboard/')) expect(endpoint.auth).not.toBe('key-or-session');
    else expect(endpoint.auth).not.toBe('session');
  });

  test('has a parameter for each placeholder', () => {
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(endpoint.params?.shape ?? {}).sort()).toEqual(placeholders.sort());
  });
});
