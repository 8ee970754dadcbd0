import { expect, test } from '@playwright/test';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { startIngest, type Ingest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { createSourceFile, type Encoder, setUpEncoders } from './encoder';
import { ApiAccount, rtmpUrl, waitUntil } from './service';

export const targetUrlOf = (port: number, key = 'good-key') => `rtmp://127.0.0.1:${port}/live/${key}`;

/**
 * Creates functions for the tests of one file that publish streams with multistream targets. Encoders and targets are
 * stopped after each test.
 */
export function setUpTargetTests() {
  let source: string;
  let owner: ApiAccount;
  const startEncoder = setUpEncoders();
  const cleanups: (() => Promise<unknown>)[] = [];

  test.beforeAll(async () => {
    [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
  });
  test.afterEach(() => Promise.all(cleanups.splice(0).map((close) => close())));

  /** Starts an RTMP server that records the packets that it receives. */
  async function startTarget(): Promise<Ingest> {
    // ffmpeg starts after the connection is open, and may send its handshake seconds later on a busy machine.
    const ingest = await startIngest({ limits: { handshakeTimeoutMs: 30_000, publishTimeoutMs: 60_000 } });
    cleanups.push(() => ingest.server.close());
    return ingest;
  }

  async function createTarget(url: string, account: ApiAccount = owner): Promise<string> {
    const response = await account.request('POST', '/api/multistream/target', { url });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  }

  /** Publishes a new stream with targets at the given URLs. */
  const publishWithTargets = (...urls: string[]) => publishStreamWith({}, urls);

  /**
   * Publishes a new stream with the given fields and targets.
   * @param renditions name of the rendition for each target; a target without a name gets the source
   */
  async function publishStreamWith(
    fields: object,
    urls: readonly string[],
    renditions: readonly string[] = [],
  ) {
    const targetIds = await Promise.all(urls.map((url) => createTarget(url)));
    const targets = targetIds.map((id, index) => ({ id, profile: renditions[index] ?? 'source' }));
    const stream = await owner.createStream({ ...fields, multistream: { targets } });
    const encoder = publish(stream.streamKey);
    const readStatuses = async () => {
      const response = await owner.request('GET', `/api/stream/${stream.id}/multistream`);
      return (await response.json()) as TargetStatus[];
    };
    const waitForStates = (...expectedStates: readonly string[]) =>
      waitUntil(
        async () => (await readStatuses()).map(({ state }) => state).join() === expectedStates.join(),
      );
    const setTargets = async (newTargetIds: readonly string[]) => {
      const newTargets = newTargetIds.map((id) => ({ id, profile: 'source' }));
      const response = await owner.request('PATCH', `/api/stream/${stream.id}`, {
        multistream: { targets: newTargets },
      });
      expect(response.status).toBe(204);
    };
    return { stream, encoder, targetIds, readStatuses, waitForStates, setTargets };
  }

  const publish = (streamKey: string): Encoder => startEncoder(source, rtmpUrl(streamKey));
  const request: ApiAccount['request'] = (...args) => owner.request(...args);
  const waitUntilActive: ApiAccount['waitUntilActive'] = (...args) => owner.waitUntilActive(...args);
  const waitUntilIdle: ApiAccount['waitUntilIdle'] = (...args) => owner.waitUntilIdle(...args);
  return {
    cleanups,
    startTarget,
    createTarget,
    publishWithTargets,
    publishStreamWith,
    publish,
    request,
    waitUntilActive,
    waitUntilIdle,
  };
}

/** Longest time between the timestamps of two consecutive frames of the first publish, in milliseconds. */
export function longestGapMs({ publishes }: Ingest): number {
  const times = (publishes[0]?.sink.packets ?? []).flatMap((packet) =>
    packet.kind === 'video' && packet.role === 'frame' ? [packet.dts] : [],
  );
  expect(times.length).toBeGreaterThan(100);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}
