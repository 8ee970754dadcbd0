import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { formatApiKey } from '@/lib/core/access/api-key-format';
import { newKeyBody } from '@/lib/infra/ids';
import { saveProcessUrl } from '@/lib/infra/process-urls';
import { openTestApi } from './testing/test-api';

const api = openTestApi('postgres://unknown@127.0.0.1:1/nothing');
const key = formatApiKey(newKeyBody());

test('without a database, the response is 503 with Retry-After', async () => {
  const response = await api.request('GET', '/api/stream', { key });
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ errors: ['the database is not responding, try again'] });
});

test('endpoints without database access still respond', async () => {
  expect((await api.request('GET', '/api/stream', { key: 'garbage' })).status).toBe(401);
  expect((await api.request('GET', '/api/stream')).status).toBe(401);
  const ingests = await api.request('GET', '/api/ingest');
  expect(await ingests.json()).toMatchObject([{ ingest: api.services.settings.rtmpUrl, headroom: null }]);
  expect((await api.request('GET', '/api/openapi.json')).status).toBe(200);
  expect((await api.request('OPTIONS', '/api/stream', { origin: 'https://a.example' })).status).toBe(204);
  expect((await api.request('GET', '/api/nothing')).status).toBe(404);
});

test('healthz names the database and the processes that do not respond', async () => {
  const response = await api.request('GET', '/api/healthz');
  expect(response.status).toBe(503);
  const { errors } = (await response.json()) as { errors: string[] };
  expect(errors).toEqual(
    expect.arrayContaining([
      'database: is not responding',
      'live: is not responding',
      'origin: is not responding',
      'jobs: is not responding',
    ]),
  );
});

test('a web process without a database is alive but not ready', async () => {
  expect((await api.request('GET', '/api/livez')).status).toBe(200);
  const response = await api.request('GET', '/api/readyz');
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ errors: ['database: is not responding'] });
});

test('healthz does not report a process as missing that responds without the database', async () => {
  const server = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { dataDir } = api.services.settings;
  await saveProcessUrl(dataDir, 'live', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const response = await api.request('GET', '/api/healthz');
    const { errors } = (await response.json()) as { errors: string[] };
    expect(errors).toContain('database: is not responding');
    expect(errors).not.toContain('live: is not responding');
  } finally {
    server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
