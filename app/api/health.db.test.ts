import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { announceNode } from '@/lib/nodes';
import { openTestApi } from './testing/test-api';

const api = openTestApi(await testDatabase());
const { db, clock, log, secrets, settings } = api.services;
const system = { actor: { kind: 'system' }, db, clock, log, secrets, settings } as const;
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

async function node(role: 'live' | 'origin' | 'jobs', status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const id = crypto.randomUUID();
  await announceNode(system, { id, role, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return id;
}

async function health(): Promise<{ status: number; body: unknown }> {
  const response = await api.request('GET', '/api/healthz');
  return { status: response.status, body: await response.json() };
}

test('says what is missing until every part answers', async () => {
  // The queue is opened with the first look, and it has two seconds to answer.
  await expect.poll(health).toEqual({
    status: 503,
    body: { errors: ['live: is not responding', 'origin: is not responding', 'jobs: is not responding'] },
  });
  const live = await node('live', 200);
  await node('origin', 503);
  await node('jobs', 200);
  expect(await health()).toEqual({ status: 503, body: { errors: ['origin: is not responding'] } });
  await node('origin', 200);
  expect(await health()).toEqual({
    status: 200,
    body: { database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' },
  });
  await db.$executeRaw`update "Node" set "seenAt" = now() - interval '1 minute' where "id" = ${live}::uuid`;
  expect(await health()).toEqual({ status: 503, body: { errors: ['live: is not responding'] } });
});
