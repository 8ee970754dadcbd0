import { expect, test } from '@playwright/test';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { startIngest, type Ingest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { Encoder, sourceFile } from './encoder';
import { Owner, rtmpUrl, until } from './service';

export const urlOf = (port: number, key = 'good-key') => `rtmp://127.0.0.1:${port}/live/${key}`;

/** Creates streams with multistream targets for one test file. Encoders and receivers are stopped after each test. */
export function streamsWithTargets() {
  let source: string;
  let owner: Owner;
  const encoders: Encoder[] = [];
  const closing: (() => Promise<unknown>)[] = [];

  test.beforeAll(async () => {
    [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
  });
  test.afterEach(async () => {
    await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  /** A real RTMP server that records what it receives. */
  async function sink(): Promise<Ingest> {
    // ffmpeg starts after the connection is open, and on a busy machine sends its handshake seconds later.
    const ingest = await startIngest({ limits: { handshakeMs: 30_000, publishMs: 60_000 } });
    closing.push(() => ingest.server.close());
    return ingest;
  }

  async function newTarget(url: string, of: Owner = owner): Promise<string> {
    const response = await of.request('POST', '/api/multistream/target', { url });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  }

  /** A published stream with targets at these addresses. */
  const live = (...urls: string[]) => liveWith({}, urls);

  /** @param renditions of the targets, in their order; absent: the source */
  async function liveWith(fields: object, urls: readonly string[], renditions: readonly string[] = []) {
    const ids = await Promise.all(urls.map((url) => newTarget(url)));
    const targets = ids.map((id, index) => ({ id, profile: renditions[index] ?? 'source' }));
    const stream = await owner.newStream({ ...fields, multistream: { targets } });
    const encoder = publish(stream.streamKey);
    const statuses = async () => {
      const response = await owner.request('GET', `/api/stream/${stream.id}/multistream`);
      return (await response.json()) as TargetStatus[];
    };
    const untilStates = (...expectedStates: readonly string[]) =>
      until(async () => (await statuses()).map(({ state }) => state).join() === expectedStates.join());
    const refer = async (targetIds: readonly string[]) => {
      const list = targetIds.map((id) => ({ id, profile: 'source' }));
      const response = await owner.request('PATCH', `/api/stream/${stream.id}`, {
        multistream: { targets: list },
      });
      expect(response.status).toBe(204);
    };
    return { stream, encoder, ids, statuses, untilStates, refer };
  }

  const publish = (streamKey: string): Encoder => {
    const encoder = new Encoder(source, rtmpUrl(streamKey));
    encoders.push(encoder);
    return encoder;
  };
  const request: Owner['request'] = (...args) => owner.request(...args);
  const untilActive: Owner['untilActive'] = (...args) => owner.untilActive(...args);
  return { closing, sink, newTarget, live, liveWith, publish, request, untilActive };
}

/** Longest time between two frames of a publish in milliseconds, by their timestamps. */
export function longestGap({ publishes }: Ingest): number {
  const times = (publishes[0]?.sink.packets ?? []).flatMap((packet) =>
    packet.kind === 'video' && packet.role === 'frame' ? [packet.dts] : [],
  );
  expect(times.length).toBeGreaterThan(100);
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}
