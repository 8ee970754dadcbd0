import type { IncomingMessage } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import type { Delivery } from '@/media-worker/kit/http/answer';
import { type Answer, errorAnswer, jsonAnswer } from '@/media-worker/kit/http/answer';
import type { GuardedObject } from '@/media-worker/delivery/origin/access/viewer-access';
import type { RtcRequest } from '@/media-worker/rtc/rtc-request';
import { RtcViewers, type RtcViewersOptions } from './rtc-viewers';

const playbackId = 'abcd1234efgh5678';
const request = { url: `/webrtc/${playbackId}?jwt=x`, headers: {} } as IncomingMessage;
const object: GuardedObject = { teamId: 't', objectId: 'o', takesReports: false };
const liveUrl = 'http://127.0.0.1:1';

interface Progress {
  readonly id: string;
  readonly bytes: number;
  readonly isOver: boolean;
}

/** Creates the viewers of one origin, and an rtc process whose response to `progress` the test sets. */
function createViewers(change: Partial<RtcViewersOptions> = {}) {
  const state = { progress: [] as Progress[], now: 0, mayContinue: true };
  const [recordViewer, closedIds] = [vi.fn(), [] as string[]];
  const deliveries: (readonly [Delivery, number])[] = [];
  const guardedPaths: string[] = [];
  const ask = (rtcRequest: RtcRequest): Promise<Answer> => {
    if (rtcRequest.kind === 'close') closedIds.push(rtcRequest.id);
    const ids = rtcRequest.kind === 'progress' ? rtcRequest.ids : [];
    return Promise.resolve(
      jsonAnswer(
        200,
        state.progress.filter(({ id }) => ids.includes(id)),
      ),
    );
  };
  const viewers = new RtcViewers({
    access: {
      guard: (guardedRequest, _folder, serve) => {
        guardedPaths.push(guardedRequest.url ?? '');
        return serve('', {}, object, 'pass');
      },
      mayContinue: () => Promise.resolve(state.mayContinue),
    },
    quotas: { findRejection: () => null },
    nodes: { find: () => Promise.resolve(liveUrl) },
    watch: () => recordViewer,
    onDelivery: (...delivery) => deliveries.push(delivery),
    ask,
    clock: { monotonic: () => state.now },
    log: createLogger('origin', 'silent'),
    ...change,
  });
  return { viewers, state, recordViewer, closedIds, deliveries, guardedPaths };
}

describe('a viewer', () => {
  test('with access is admitted, with a slash after the playback id as in paths of HLS', async () => {
    const { viewers, guardedPaths } = createViewers();
    expect(await viewers.admit(request, playbackId)).toMatchObject({ liveUrl });
    expect(guardedPaths).toEqual([`/webrtc/${playbackId}/?jwt=x`]);
  });

  test.each([
    ['has no access', { access: { guard: () => Promise.resolve(errorAnswer(403, 'No.')) } }, 403],
    [
      'exceeds the quota of the team',
      { quotas: { findRejection: () => Promise.resolve(errorAnswer(402, '')) } },
      402,
    ],
    ['requests a stream that is not live', { nodes: { find: () => Promise.resolve(null) } }, 404],
    ['arrives while lookups fail', { nodes: { find: () => Promise.reject(new Error('away')) } }, 503],
  ])('who %s is not admitted', async (_name, change, status) => {
    const { viewers } = createViewers(change as Partial<RtcViewersOptions>);
    expect(await viewers.admit(request, playbackId)).toMatchObject({ status });
  });
});

describe('a viewer with a connection', () => {
  const startWatching = async () => {
    const opened = createViewers();
    const admission = await opened.viewers.admit(request, playbackId);
    if ('status' in admission) throw new Error('not admitted');
    admission.onOpen('one');
    return opened;
  };

  test('is counted with the bytes sent and their duration', async () => {
    const { viewers, state, recordViewer, deliveries } = await startWatching();
    Object.assign(state, { now: 5_000, progress: [{ id: 'one', bytes: 1_000, isOver: false }] });
    await viewers.refresh();
    expect(recordViewer).toHaveBeenCalledOnce();
    // Five seconds for 1,000 bytes.
    expect(deliveries).toEqual([[{ kind: 'stream', id: playbackId, secondsPerByte: 0.005 }, 1_000]]);
  });

  test('is not counted while nothing is sent', async () => {
    const { viewers, state, recordViewer, deliveries } = await startWatching();
    state.progress = [{ id: 'one', bytes: 0, isOver: false }];
    await viewers.refresh();
    expect(recordViewer).not.toHaveBeenCalled();
    expect(deliveries).toEqual([]);
  });

  test('is dropped after leaving, with the last bytes counted', async () => {
    const { viewers, state, deliveries, closedIds } = await startWatching();
    Object.assign(state, { mayContinue: false, progress: [{ id: 'one', bytes: 7, isOver: true }] });
    await viewers.refresh();
    await viewers.refresh();
    expect(deliveries.map(([, bytes]) => bytes)).toEqual([7]);
    expect(closedIds).toEqual([]);
  });

  test('is disconnected after losing access', async () => {
    const { viewers, state, closedIds } = await startWatching();
    state.progress = [{ id: 'one', bytes: 1, isOver: false }];
    await viewers.refresh();
    expect(closedIds).toEqual([]);
    state.mayContinue = false;
    await viewers.refresh();
    expect(closedIds).toEqual(['one']);
  });
});
