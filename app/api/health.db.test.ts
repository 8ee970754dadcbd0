import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { saveAddress } from '@/lib/infra/node-address';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { announceNode } from '@/lib/nodes';
import { openTestApi } from './testing/test-api';

const api = openTestApi(await testDatabase());
const { db, clock, log, secrets, settings } = api.services;
const system = { actor: { kind: 'system' }, db, clock, log, secrets, settings } as const;
const signatures = createNodeSignatures(secrets, clock);
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/** A process of this machine that answers with `status`. */
async function start(role: 'live' | 'origin' | 'jobs', status: number): Promise<void> {
  const server = createServer((request, response) => {
    const signature = String(request.headers[nodeSignatureHeader]);
    const signed = signatures.accepts({ method: 'GET', path: request.url ?? '' }, signature);
    response.writeHead(signed ? status : 401).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await saveAddress(settings.dataDir, role, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function health(): Promise<{ status: number; body: unknown }> {
  const response = await api.request('GET', '/api/healthz');
  return { status: response.status, body: await response.json() };
}

test('says what is missing on this machine until every part answers', async () => {
  // The queue is opened with the first look, and it has two seconds to answer.
  await expect.poll(health).toEqual({
    status: 503,
    body: { errors: ['live: is not responding', 'origin: is not responding', 'jobs: is not responding'] },
  });
  await start('live', 200);
  await start('origin', 503);
  await start('jobs', 200);
  expect(await health()).toEqual({ status: 503, body: { errors: ['origin: is not responding'] } });
  await start('origin', 200);
  await expect.poll(health).toEqual({
    status: 200,
    body: { database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' },
  });
});

test('a machine without a role says whether another one has it', async () => {
  const all = settings.roles;
  Object.assign(settings, { roles: ['web'] });
  try {
    const id = crypto.randomUUID();
    await announceNode(system, { id, role: 'live', url: 'http://10.0.0.2:4000', machineId: null });
    expect((await health()).body).toMatchObject({ live: 'elsewhere', origin: 'none', jobs: 'none' });
    await db.$executeRaw`update "Node" set "seenAt" = now() - interval '1 minute' where "id" = ${id}::uuid`;
    expect(await health()).toMatchObject({ status: 200, body: { live: 'none' } });
  } finally {
    Object.assign(settings, { roles: all });
  }
});
