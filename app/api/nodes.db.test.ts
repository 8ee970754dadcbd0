import { describe, expect, test } from 'vitest';
import type { Node } from '@/lib/contract/nodes/node';
import type { Ingest } from '@/lib/contract/service';
import { readIngestsForPages } from '@/lib/http/service-status';
import { registerNode } from '@/lib/domain/nodes';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { baseUrl, openTestApi } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, clock, log, secrets, settings } = api.services;
const system = { actor: { kind: 'system' }, db, clock, log, secrets, settings } as const;
const operator = await api.createPerson('operator');
const stranger = await api.createPerson('stranger');
Object.assign(settings, { operatorEmails: [operator.email.toLowerCase()], region: 'eu-west' });
const onlyOperators = { errors: ['only operators may do this: the setting OPERATOR_EMAILS names them'] };

const readIngests = async () => {
  const response = await api.request('GET', '/api/ingest');
  expect(response.status).toBe(200);
  return (await response.json()) as Ingest[];
};
const machineId = crypto.randomUUID();
const announceProcess = async (role: 'live' | 'origin', port: number) => {
  const id = crypto.randomUUID();
  await registerNode(
    system,
    { id, role, url: `http://10.0.0.2:${port}`, machineId },
    { streamCount: role === 'live' ? 3 : null, cpuHeadroomRatio: 0.25, diskFreeBytes: 5_000_000_000_000 },
  );
  return id;
};
const readNodes = async (): Promise<Node[]> => {
  const response = await api.request('GET', '/api/admin/nodes', { key: operator.key });
  expect(response.status).toBe(200);
  return (await response.json()) as Node[];
};

describe('GET /api/admin/nodes', () => {
  test('is for operators only', async () => {
    const path = '/api/admin/nodes';
    expect((await api.request('GET', path)).status).toBe(401);
    const response = await api.request('GET', path, { key: stranger.key });
    expect([response.status, await response.json()]).toMatchObject([403, onlyOperators]);
    const { cookie } = stranger;
    expect((await api.request('GET', path, { cookie, origin: baseUrl })).status).toBe(403);
    expect((await api.request('GET', path, { key: operator.key })).status).toBe(200);
    expect((await api.request('GET', path, { cookie: operator.cookie })).status).toBe(200);
  });

  test('lists the reports of all nodes', async () => {
    const [origin, live] = [await announceProcess('origin', 8080), await announceProcess('live', 4000)];
    const listedNodes = await readNodes();
    expect(listedNodes.map(({ id }) => id)).toEqual([live, origin]);
    expect(listedNodes[0]).toMatchObject({
      role: 'live',
      slot: 1,
      state: 'online',
      url: 'http://10.0.0.2:4000',
      machineId,
      region: 'eu-west',
      ingestUrl: settings.rtmpUrl,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      drainingSince: null,
      streamCount: 3,
      cpuHeadroomRatio: 0.25,
      diskFreeBytes: 5_000_000_000_000,
    });
    expect(listedNodes[1]).toMatchObject({ role: 'origin', ingestUrl: null, streamCount: null });
  });

  test('distinguishes draining nodes from silent ones', async () => {
    const [draining, silent] = [await announceProcess('live', 4001), await announceProcess('live', 4002)];
    await db.$executeRaw`update "Node" set "drainingSince" = now() where "id" = ${draining}::uuid`;
    await db.$executeRaw`update "Node" set "seenAt" = now() - interval '1 minute' where "id" = ${silent}::uuid`;
    const states = new Map((await readNodes()).map(({ id, state }) => [id, state]));
    expect([states.get(draining), states.get(silent)]).toEqual(['draining', 'unresponsive']);
  });
});

describe('PATCH /api/admin/nodes/{id}', () => {
  const patch = (id: string, body: unknown, options: object = { key: operator.key }) =>
    api.request('PATCH', `/api/admin/nodes/${id}`, { body, ...options });

  test('is for operators only', async () => {
    const id = await announceProcess('live', 4003);
    expect((await patch(id, { draining: true }, {})).status).toBe(401);
    const response = await patch(id, { draining: true }, { key: stranger.key });
    expect([response.status, await response.json()]).toMatchObject([403, onlyOperators]);
    const { cookie } = stranger;
    expect((await patch(id, { draining: true }, { cookie, origin: baseUrl })).status).toBe(403);
    expect(await db.node.findUnique({ where: { id } })).toMatchObject({ drainingSince: null });
  });

  test('drains a live node and resumes it, with one audit entry each', async () => {
    const id = await announceProcess('live', 4004);
    const state = async () => (await readNodes()).find((node) => node.id === id)?.state;
    expect((await patch(id, { draining: true })).status).toBe(204);
    expect(await state()).toBe('draining');
    expect((await patch(id, { draining: false })).status).toBe(204);
    expect(await state()).toBe('online');
    const auditEntries = await db.auditEntry.findMany({
      where: { objectId: id },
      orderBy: { createdAt: 'asc' },
    });
    expect(auditEntries.map(({ action, teamId }) => [action, teamId])).toEqual([
      ['node.drained', operator.teamId],
      ['node.undrained', operator.teamId],
    ]);
  });

  test('names the reason of a rejection', async () => {
    const origin = await announceProcess('origin', 8081);
    for (const [id, body, status, message] of [
      [origin, { draining: true }, 422, 'only live nodes can be drained'],
      [crypto.randomUUID(), { draining: true }, 404, 'no node with the id'],
      [origin, {}, 422, 'draining'],
      [origin, { draining: 'yes' }, 422, 'draining'],
    ] as const) {
      const response = await patch(id, body);
      expect(response.status).toBe(status);
      expect(await response.text()).toContain(message);
    }
  });
});

describe('GET /api/ingest', () => {
  /** Announces a live node on another machine. */
  const announceElsewhere = async (
    rtmpUrl: string,
    region: string | undefined,
    cpuHeadroomRatio: number | null,
  ) => {
    const id = crypto.randomUUID();
    await registerNode(
      { ...system, settings: { ...settings, rtmpUrl, region } },
      { id, role: 'live', url: 'http://10.0.0.3:4000', machineId: null },
      { streamCount: 0, cpuHeadroomRatio, diskFreeBytes: null },
    );
    return id;
  };

  test('lists addresses by region and headroom, without draining or silent nodes', async () => {
    await db.node.deleteMany();
    expect(await readIngests()).toEqual([]);
    await announceElsewhere('rtmp://us.example.com/live', 'us-east', 0.9);
    await announceElsewhere('rtmp://eu-1.example.com/live', 'eu-west', 0.1);
    const bestNodeId = await announceElsewhere('rtmp://eu-2.example.com/live', 'eu-west', 0.705);
    await announceElsewhere('rtmp://new.example.com/live', undefined, null);
    const ownAddresses = {
      ingestTls: null,
      ingestSrt: null,
      ingestWhip: null,
      playback: `${settings.cdnUrl}/hls`,
      base: settings.baseUrl,
    };
    expect(await readIngests()).toEqual([
      { ...ownAddresses, ingest: 'rtmp://eu-2.example.com/live', region: 'eu-west', headroom: 0.71 },
      { ...ownAddresses, ingest: 'rtmp://eu-1.example.com/live', region: 'eu-west', headroom: 0.1 },
      { ...ownAddresses, ingest: 'rtmp://new.example.com/live', region: null, headroom: null },
      { ...ownAddresses, ingest: 'rtmp://us.example.com/live', region: 'us-east', headroom: 0.9 },
    ]);
    const readHosts = async () =>
      (await readIngests()).map(({ ingest }) => new URL(ingest).hostname.split('.')[0]);
    await db.$executeRaw`update "Node" set "drainingSince" = now() where "id" = ${bestNodeId}::uuid`;
    expect(await readHosts()).toEqual(['eu-1', 'new', 'us']);
    // A live node counts as dead after 10 s without a heartbeat.
    await db.$executeRaw`
      update "Node" set "seenAt" = now() - interval '11 seconds' where "region" = 'us-east'`;
    expect(await readHosts()).toEqual(['eu-1', 'new']);
  });

  test('does not list a node that rejects new streams', async () => {
    await db.node.deleteMany();
    const node = { role: 'live', url: 'http://10.0.0.3:4000', machineId: null } as const;
    const vitals = { streamCount: 3, cpuHeadroomRatio: 0.5, diskFreeBytes: null };
    const fullNode = { ...node, id: crypto.randomUUID() };
    const fullReason = 'the server has reached its limit of 3 streams';
    await registerNode(system, fullNode, { ...vitals, roomStreams: 0, fullReason });
    expect(await readIngests()).toEqual([]);
    expect(await readNodes()).toMatchObject([{ state: 'online', roomStreams: 0, fullReason }]);
    await registerNode(system, fullNode, { ...vitals, roomStreams: 1 });
    expect(await readIngests()).toHaveLength(1);
    expect(await readNodes()).toMatchObject([{ roomStreams: 1, fullReason: null }]);
  });

  test('lists the TLS address of nodes that have one', async () => {
    await db.node.deleteMany();
    const tls = { rtmpUrl: 'rtmp://eu.example.com/live', rtmpsUrl: 'rtmps://eu.example.com:1936/live' };
    await registerNode(
      { ...system, settings: { ...settings, ...tls } },
      { id: crypto.randomUUID(), role: 'live', url: 'http://10.0.0.3:4000', machineId: null },
    );
    expect(await readIngests()).toMatchObject([{ ingest: tls.rtmpUrl, ingestTls: tls.rtmpsUrl }]);
  });

  test('lists the SRT address that the first process of a machine has', async () => {
    await db.node.deleteMany();
    const srt = { srtPort: 9000, srtUrl: 'srt://eu.example.com:9000' };
    const announceSlot = (slot: number) =>
      registerNode(
        { ...system, settings: { ...settings, ...srt, slot } },
        { id: crypto.randomUUID(), role: 'live', url: `http://10.0.0.3:400${slot}`, machineId: null },
      );
    await announceSlot(2);
    expect(await readIngests()).toMatchObject([{ ingestSrt: null }]);
    await announceSlot(1);
    expect(await readIngests()).toMatchObject([{ ingestSrt: srt.srtUrl }]);
  });

  test('does not list origins; without a live node, pages show the address of the settings', async () => {
    await db.node.deleteMany();
    await announceProcess('origin', 8080);
    expect(await readIngests()).toEqual([]);
    const shownIngest = { ingest: settings.rtmpUrl, region: 'eu-west', headroom: null };
    expect(await readIngestsForPages(system)).toMatchObject([shownIngest]);
  });

  test('uses the default address for a node of an older version, which does not report one', async () => {
    const id = await announceElsewhere('rtmp://us.example.com/live', 'us-east', 0.9);
    await db.node.update({ where: { id }, data: { ingestUrl: null, region: null } });
    expect(await readIngests()).toMatchObject([{ ingest: settings.rtmpUrl, region: null, headroom: 0.9 }]);
  });
});
