import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { recordingPrefix } from '@/lib/core/storage-keys';
import { mountSmallDisk } from '@/lib/infra/testing/small-disk';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createStream, getStream } from '@/lib/domain/streams';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { createNodeFetch } from '@/media-worker/testing/node-fetch';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { startLive } from '@/media-worker/roles/live-role';

const MIB = 1024 ** 2;
/** Small disk for the tests, which are skipped if no file system can be mounted. CI can mount one. */
const disk = mountSmallDisk(24 * MIB);
const folder = disk?.path ?? '';
const rtmpPort = await findFreePort();
const change = { host: '127.0.0.1', rtmpPort, transcodeCores: 2, ...(disk ? { dataDir: folder } : {}) };
const { ctx, db, createTeam, sessionsOf } = createWorkerFixtures(await createTestDatabase(), change);
const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
const profiles = [{ name: '90p', width: 160, height: 90, bitrate: 100_000, fps: 0 }];
const ballast = join(folder, 'ballast');
const lifecycle = new Lifecycle(ctx.log);
const fetchFromNode = createNodeFetch(ctx.secrets);
const encoders: { stop(): Promise<unknown> }[] = [];

/** Fills the disk to the last byte. */
function fillDisk(): void {
  for (const size of [MIB, 4_096]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // The disk was already full.
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a recorded stream with a rendition, published in real time. */
async function createPublishedStream() {
  const { id, streamKey, playbackId } = await createStream(owner, { name: 'x', profiles, record: true });
  const x264 = '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -g 20 -sc_threshold 0'.split(' ');
  const encoder = runFfmpeg({
    inputs: [
      { options: ['-re', '-f', 'lavfi'], url: 'testsrc2=size=320x180:rate=20' },
      { options: ['-re', '-f', 'lavfi'], url: 'sine=sample_rate=48000' },
    ],
    outputs: [
      {
        options: [...x264, '-c:a', 'aac', '-f', 'flv'],
        url: `rtmp://127.0.0.1:${rtmpPort}/live/${streamKey}`,
      },
    ],
  });
  encoders.push(encoder);
  return { id, playbackId };
}

/** Number of the newest segment of a rendition; -1 if it lists none. */
async function readNewestSegment(playbackId: string, rendition: string): Promise<number> {
  const { url } = await db.node.findFirstOrThrow({ where: { role: 'live' } });
  const answer = await fetchFromNode(`${url}/${playbackId}/${rendition}/index.m3u8?ll=0`);
  if (!answer.ok) return -1;
  const names = [...(await answer.text()).matchAll(/^(\d+)\.m4s/gm)];
  return Number(names.at(-1)?.[1] ?? -1);
}

async function expectPlaybackContinues(playbackId: string): Promise<void> {
  for (const rendition of ['source', '90p']) {
    const newestBefore = await readNewestSegment(playbackId, rendition);
    await expect
      .poll(() => readNewestSegment(playbackId, rendition), { timeout: 100_000 })
      .toBeGreaterThan(newestBefore + 1);
  }
}

const recordingErrorOf = async (id: string) => (await sessionsOf(id))[0]?.recordingError;
const issuesOf = async (id: string) => (await getStream(owner, id)).issues ?? [];

describe.skipIf(disk === null)('a disk without space (needs the right to mount)', () => {
  beforeAll(async () => {
    fillDisk();
    await startLive(ctx, lifecycle, new AbortController().signal);
  });
  afterEach(async () => {
    await Promise.all(encoders.splice(0).map((encoder) => encoder.stop()));
  });
  afterAll(async () => {
    await lifecycle.close();
    disk?.remove();
  });

  test('does not keep a live process from starting: streams play with their renditions and report why they are not recorded', async () => {
    const { id, playbackId } = await createPublishedStream();
    await expect.poll(() => recordingErrorOf(id), { timeout: 100_000 }).toMatch(/disk is (almost )?full/);
    await expect
      .poll(() => issuesOf(id), { timeout: 100_000 })
      .toContainEqual(expect.stringMatching(/^The recording stopped: /));
    await expectPlaybackContinues(playbackId);
    await expect.poll(async () => (await getStream(owner, id)).isActive, { timeout: 100_000 }).toBe(true);
  });

  test('that fills up during a recording stops only the recording', async () => {
    rmSync(ballast);
    const { id, playbackId } = await createPublishedStream();
    await expect.poll(async () => (await sessionsOf(id)).length, { timeout: 100_000 }).toBe(1);
    const [session] = await sessionsOf(id);
    const countStoredKinds = async () => {
      const names = new Set<string>();
      for await (const { key } of ctx.storage.list(recordingPrefix(session?.id ?? '')))
        if (key.endsWith('.m4s')) names.add(key.includes('/source/') ? 'source' : 'rendition');
      return names.size;
    };
    await expect.poll(countStoredKinds, { timeout: 100_000 }).toBe(2);
    expect(await recordingErrorOf(id)).toBeNull();
    fillDisk();
    await expect.poll(() => recordingErrorOf(id), { timeout: 100_000 }).toMatch(/disk is (almost )?full/);
    await expectPlaybackContinues(playbackId);
    await expect
      .poll(() => issuesOf(id), { timeout: 100_000 })
      .toContainEqual(expect.stringMatching(/^The recording stopped: /));
  });
});
