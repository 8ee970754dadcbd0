import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { steadyFrames, videoConfig } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { SrtCaller } from '@/media-worker/ingest/srt/testing/srt-caller';
import { RtmpClient } from '@/media-worker/ingest/rtmp/testing/rtmp-client';
import { startWorkerProcess } from '@/media-worker/vod/tasks/testing/jobs-process';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';

/** Two live and two origin processes of one machine, as the service runs them. */

const databaseUrl = await createTestDatabase();
const { ctx, db, dataDir, createTeam, createStream, readStream } = createWorkerFixtures(databaseUrl);
const processGroups: ChildProcess[] = [];
const encoders: Encoder[] = [];
let rtmpPort = 0;
let mediaPort = 0;

beforeAll(async () => {
  [rtmpPort, mediaPort] = [await findFreePort(), await findFreePort()];
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test' as const,
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    APP_SECRET: ctx.settings.appSecret,
    RTMP_PORT: String(rtmpPort),
    MEDIA_PORT: String(mediaPort),
    // SRT uses the port number of RTMP over UDP.
    SRT_PORT: String(rtmpPort),
    LIVE_PROCESSES: '2',
    ORIGIN_PROCESSES: '2',
  };
  processGroups.push(startWorkerProcess('live', env), startWorkerProcess('origin', env));
});

afterAll(async () => {
  for (const encoder of encoders) encoder.end();
  const whenEnded = processGroups.map((group) => once(group, 'exit'));
  for (const group of processGroups) group.kill('SIGTERM');
  expect(await Promise.all(whenEnded)).toEqual(processGroups.map(() => [0, null]));
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Builds the body of an FLV tag of H.264. The first byte is 0x17 for a keyframe and 0x27 for another frame, the second 0 for
 * the configuration and 1 for a frame.
 */
function buildVideoTag({ kind, role, payload, ...packet }: MediaPacket): Buffer {
  const isKey = role === 'config' || (kind === 'video' && 'key' in packet && packet.key);
  return Buffer.concat([Buffer.from([isKey ? 0x17 : 0x27, role === 'config' ? 0 : 1, 0, 0, 0]), payload]);
}

/** An encoder that publishes video until `end` is called. */
class Encoder {
  readonly client: RtmpClient;
  readonly #timer: NodeJS.Timeout;
  #sentMs = 0;

  private constructor(client: RtmpClient) {
    this.client = client;
    this.#send([videoConfig()], 4_100);
    this.#timer = setInterval(() => this.#send([], this.#sentMs + 500), 500);
  }

  static async startPublishing(streamKey: string): Promise<Encoder> {
    const client = await RtmpClient.connectAndPublish(rtmpPort, streamKey);
    await client.waitForText('NetStream.Publish.Start');
    const encoder = new Encoder(client);
    encoders.push(encoder);
    return encoder;
  }

  end(): void {
    clearInterval(this.#timer);
    this.client.end();
  }

  #send(firstPackets: readonly MediaPacket[], untilMs: number): void {
    const frames = steadyFrames({ fromMs: this.#sentMs, untilMs, gopMs: 500, frameMs: 100, audio: false });
    for (const packet of [...firstPackets, ...frames]) this.client.video(packet.dts, buildVideoTag(packet));
    this.#sentMs = untilMs;
  }
}

/** Process ids of a group, by slot. */
function pidsOf(group: ChildProcess | undefined): Map<string, number> {
  const pid = group?.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return new Map(
    children.map((child) => {
      const environment = readFileSync(`/proc/${child}/environ`, 'utf8');
      return [/PROCESS_SLOT=(\d+)/.exec(environment)?.[1] ?? '', child];
    }),
  );
}

const readNodes = (role: string) => db.node.findMany({ where: { role }, orderBy: { slot: 'asc' } });
const fetchPlaylistStatus = async (origin: string, playbackId: string) =>
  (await fetch(`${origin}/hls/${playbackId}/index.m3u8`)).status;

/** Values of one metric, by slot. */
async function fetchMetricBySlot(origin: string, name: string): Promise<[string, number][]> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const matches = text.matchAll(new RegExp(`^${name}{(?:.*,)?slot="(\\d+)".*} (.+)$`, 'gm'));
  return [...matches].map(([, slot = '', value]) => [slot, Number(value)]);
}

describe.runIf(process.platform === 'linux')('several processes of a role on one machine', () => {
  test('leave SRT to the first live process, which receives all datagrams', async () => {
    await expect.poll(() => db.node.count(), { timeout: 120_000 }).toBe(4);
    const [firstNode, secondNode] = await readNodes('live');
    expect([firstNode?.srtIngestUrl, secondNode?.srtIngestUrl]).toEqual([
      `srt://localhost:${rtmpPort}`,
      null,
    ]);
    const teamId = await createTeam();
    for (let i = 0; i < 4; i += 1) {
      const { id, streamKey } = await createStream(teamId);
      await using caller = await SrtCaller.connect({ port: rtmpPort, streamId: streamKey });
      expect((await readStream(id)).liveNodeId).toBe(firstNode?.id);
      caller.shutdown();
    }
  });

  test('divide the streams, serve all of them, and lose only those of a killed process', async () => {
    await expect.poll(() => db.node.count(), { timeout: 120_000 }).toBe(4);
    const teamId = await createTeam();
    const streams = await Promise.all(Array.from({ length: 6 }, () => createStream(teamId)));
    const encoderByStream = new Map<string, Encoder>();
    for (const { id, streamKey } of streams)
      encoderByStream.set(id, await Encoder.startPublishing(streamKey));
    const readRows = () => Promise.all(streams.map(({ id }) => readStream(id)));
    await expect.poll(async () => (await readRows()).map(({ isActive }) => isActive)).not.toContain(false);
    const [firstNode, secondNode] = await readNodes('live');
    if (!firstNode || !secondNode) throw new Error('two live nodes were not announced');
    expect([firstNode.slot, secondNode.slot]).toEqual([1, 2]);
    const streamsOf = async (nodeId: string) => (await readRows()).filter((row) => row.liveNodeId === nodeId);
    const [keptRows, lostRows] = [await streamsOf(firstNode.id), await streamsOf(secondNode.id)];
    expect(keptRows.length).toBeGreaterThan(0);
    expect(lostRows.length).toBeGreaterThan(0);
    expect(keptRows.length + lostRows.length).toBe(6);

    const origins = (await readNodes('origin')).map(({ url }) => url);
    expect(new Set([...origins, `http://127.0.0.1:${mediaPort}`]).size).toBe(3);
    for (const origin of [...origins, `http://127.0.0.1:${mediaPort}`]) {
      for (const { playbackId } of streams) {
        await expect.poll(() => fetchPlaylistStatus(origin, playbackId)).toBe(200);
      }
    }

    // Any process that receives the scrape answers for all processes.
    for (let scrape = 0; scrape < 3; scrape += 1) {
      expect(await fetchMetricBySlot(`http://127.0.0.1:${mediaPort}`, 'headwater_process_up')).toEqual([
        ['1', 1],
        ['2', 1],
      ]);
    }
    const liveUrl = (await readNodes('live'))[0]?.url ?? '';
    const streamsBySlot = await fetchMetricBySlot(liveUrl, 'headwater_live_streams');
    expect(streamsBySlot).toEqual([
      ['1', keptRows.length],
      ['2', lostRows.length],
    ]);

    const pidsBefore = pidsOf(processGroups[0]);
    process.kill(pidsBefore.get('2') ?? 0, 'SIGKILL');
    for (const { id } of lostRows) await encoderByStream.get(id)?.client.waitForClose();
    const findReplacement = async () =>
      (await readNodes('live')).find(({ slot, id }) => slot === 2 && id !== secondNode.id);
    await expect.poll(findReplacement, { timeout: 120_000 }).toBeDefined();
    expect(pidsOf(processGroups[0]).get('1')).toBe(pidsBefore.get('1'));
    expect(keptRows.map(({ id }) => encoderByStream.get(id)?.client.closed)).toEqual(
      keptRows.map(() => false),
    );
    expect((await streamsOf(firstNode.id)).map(({ id, isActive }) => [id, isActive])).toEqual(
      keptRows.map(({ id }) => [id, true]),
    );

    for (const { id, streamKey } of streams.filter((row) => lostRows.some(({ id }) => id === row.id))) {
      encoderByStream.set(id, await Encoder.startPublishing(streamKey));
    }
    await expect.poll(async () => (await readRows()).map(({ isActive }) => isActive)).not.toContain(false);
    expect(await db.session.count({ where: { parentId: { in: streams.map(({ id }) => id) } } })).toBe(6);
  });
});
