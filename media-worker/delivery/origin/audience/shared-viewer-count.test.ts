import { describe, expect, test } from 'vitest';
import { findCountingOrigin, homeOf } from '@/lib/core/nodes/playback-home';
import { MAX_PLAYBACKS_PER_REPORT, type SeenPlayback } from '@/lib/domain/nodes';
import { SharedViewerCount } from './shared-viewer-count';
import { ViewerCount, type ViewerSample } from './viewer-count';

const streamPlaybackId = 'abcd1234efgh5678';
const ids = [
  '11111111-1111-4111-8111-aaaaaaaaaaaa',
  '22222222-2222-4222-8222-bbbbbbbbbbbb',
  '33333333-3333-4333-8333-cccccccccccc',
] as const;
const [a, b, c] = ids;
const playbackOf = (nodeId: string, suffix: number | string = 0) => homeOf(nodeId) + String(suffix);

/** Creates three origins with a simulated database and network. */
function createOrigins({ maxForeignPlaybacks = 1_000 } = {}) {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const network = {
    runningIds: [...ids] as string[],
    isDatabaseDown: false,
    lookups: 0,
    reports: [] as number[],
  };
  const unreachableUrls = new Set<string>();
  const origins = new Map(ids.map((id) => [id as string, openOrigin(id)]));
  function openOrigin(nodeId: string) {
    const writtenSamples: ViewerSample[] = [];
    const count = new ViewerCount(clock, (samples) => Promise.resolve(void writtenSamples.push(...samples)));
    const sharedCount = new SharedViewerCount({
      nodeId,
      clock,
      count,
      maxForeignPlaybacks,
      origins: () => {
        network.lookups += 1;
        if (network.isDatabaseDown) return Promise.reject(new Error('away'));
        return Promise.resolve(network.runningIds.map((id) => ({ id, url: id })));
      },
      report: (url: string, playbacks: readonly SeenPlayback[]) => {
        if (unreachableUrls.has(url)) return Promise.reject(new Error('no answer'));
        network.reports.push(playbacks.length);
        origins.get(url)?.shared.receive(playbacks);
        return Promise.resolve();
      },
    });
    return { count, shared: sharedCount, writtenSamples };
  }
  const originOf = (nodeId: string) => {
    const origin = origins.get(nodeId);
    if (!origin) throw new Error('no such origin');
    return origin;
  };
  /**
   * Advances five seconds.
   * @returns viewers and new views by origin
   */
  const exchangeRound = async () => {
    clock.ms += 5_000;
    const countsByNode: Record<string, readonly [viewers: number, views: number]> = {};
    for (const id of network.runningIds)
      await originOf(id)
        .shared.exchange()
        .catch(() => undefined);
    for (const id of network.runningIds) {
      const { count, writtenSamples } = originOf(id);
      count.sample();
      writtenSamples.length = 0;
      await count.flush();
      const [sample] = writtenSamples;
      if (sample && sample.viewers + sample.views > 0) countsByNode[id] = [sample.viewers, sample.views];
    }
    return countsByNode;
  };
  return {
    network,
    unreachableUrls,
    originOf,
    exchangeRound,
    serve: (id: string, playback: string) => originOf(id).shared.recordPlaylist(streamPlaybackId, playback),
  };
}

describe('the origin that issued the token counts', () => {
  test('a viewer that a load balancer sends to all origins is one viewer and one view', async () => {
    const { serve, exchangeRound } = createOrigins();
    for (let request = 0; request < 6; request++) {
      serve(ids[request % 3] ?? a, playbackOf(a));
      expect(await exchangeRound()).toEqual({ [a]: [1, request === 0 ? 1 : 0] });
    }
  });

  test('a viewer that it never serves', async () => {
    const { serve, exchangeRound } = createOrigins();
    serve(b, playbackOf(a));
    expect(await exchangeRound()).toEqual({ [a]: [1, 1] });
    for (let request = 0; request < 6; request++) {
      serve(b, playbackOf(a));
      expect(await exchangeRound()).toEqual({ [a]: [1, 0] });
    }
  });

  test('without requests between origins if all viewers are its own', async () => {
    const { network, serve, exchangeRound } = createOrigins();
    serve(a, playbackOf(a));
    expect(await exchangeRound()).toEqual({ [a]: [1, 1] });
    expect([network.lookups, network.reports]).toEqual([0, []]);
  });

  test('a playback is known between two exchanges, only for its stream', async () => {
    const { originOf, serve, exchangeRound } = createOrigins();
    serve(b, playbackOf(a));
    expect(originOf(b).shared.touch(streamPlaybackId, playbackOf(a))).toBe(true);
    expect(originOf(b).shared.touch('otherotherother1', playbackOf(a))).toBe(false);
    await exchangeRound();
    expect(originOf(b).shared.touch(streamPlaybackId, playbackOf(a))).toBe(false);
    expect(originOf(a).shared.touch(streamPlaybackId, playbackOf(a))).toBe(true);
  });
});

describe('an origin that is gone', () => {
  /** The successor is the one of the two remaining origins that must adopt the playback. */
  const playback = playbackOf(a);
  const successor = findCountingOrigin(playback, [b, c]) ?? b;
  const otherNode = successor === b ? c : b;

  test('has one successor, whichever origin serves the viewer, and its views stay counted', async () => {
    const { network, serve, exchangeRound } = createOrigins();
    serve(a, playback);
    await exchangeRound();
    network.runningIds = [b, c];
    serve(otherNode, playback);
    // The report reaches the successor, which adopts at its next exchange.
    await exchangeRound();
    for (let request = 0; request < 6; request++) {
      serve(request % 2 === 0 ? b : c, playback);
      expect(await exchangeRound()).toEqual({ [successor]: [1, 0] });
    }
  });

  test('counts again when it returns, and its successor stops', async () => {
    const { network, serve, exchangeRound } = createOrigins();
    serve(a, playback);
    await exchangeRound();
    network.runningIds = [b, c];
    serve(successor, playback);
    expect(await exchangeRound()).toEqual({ [successor]: [1, 0] });
    network.runningIds = [a, b, c];
    serve(successor, playback);
    expect(await exchangeRound()).toEqual({ [a]: [1, 0] });
  });

  test('that returns as another process counts its old viewers as viewers, not as new views', async () => {
    const { network, serve, exchangeRound } = createOrigins();
    network.runningIds = [b];
    serve(b, playback);
    expect(await exchangeRound()).toEqual({ [b]: [1, 0] });
  });

  test('is not considered gone while the database is unavailable', async () => {
    const { network, serve, exchangeRound } = createOrigins();
    serve(b, playback);
    expect(await exchangeRound()).toEqual({ [a]: [1, 1] });
    network.isDatabaseDown = true;
    serve(b, playback);
    expect(await exchangeRound()).toEqual({ [a]: [1, 0] });
  });

  test('is not considered gone by an origin whose own heartbeats do not arrive', async () => {
    const { network, originOf } = createOrigins();
    network.runningIds = [b];
    originOf(c).shared.recordPlaylist(streamPlaybackId, playbackOf(a));
    await originOf(c).shared.exchange();
    expect([originOf(c).count.hasAdopted, network.reports]).toEqual([false, []]);
  });
});

describe('limits', () => {
  test('many viewers are reported in several requests, and those over the limit are left out', async () => {
    const { network, serve, exchangeRound } = createOrigins({
      maxForeignPlaybacks: MAX_PLAYBACKS_PER_REPORT + 50,
    });
    for (let viewer = 0; viewer < MAX_PLAYBACKS_PER_REPORT + 100; viewer++) serve(b, playbackOf(a, viewer));
    expect(await exchangeRound()).toEqual({
      [a]: [MAX_PLAYBACKS_PER_REPORT + 50, MAX_PLAYBACKS_PER_REPORT + 50],
    });
    expect(network.reports).toEqual([MAX_PLAYBACKS_PER_REPORT, 50]);
  });

  test('an origin that does not respond fails the exchange, and the others get their reports', async () => {
    const { originOf, unreachableUrls, serve, exchangeRound } = createOrigins();
    unreachableUrls.add(a);
    serve(b, playbackOf(a));
    serve(b, playbackOf(c));
    await expect(originOf(b).shared.exchange()).rejects.toThrow('no answer');
    expect(await exchangeRound()).toEqual({ [c]: [1, 1] });
  });
});
