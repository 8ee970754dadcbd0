import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import { systemClock } from '@/lib/infra/clock';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { createLogger } from '@/lib/infra/logger';
import { Renditions } from '@/media-worker/media/packaging/rendition';
import { Packaging } from '@/media-worker/media/packaging/testing/packaging';
import { createMultistream } from './multistream';
import { withoutWebrtc } from './testing/without-webrtc';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a session that ends during a database outage does not wait for the next attempt to load its targets', async () => {
  const log = createLogger('test', 'silent');
  const findMany = vi.fn(() => Promise.reject(new Error('the database is unavailable')));
  const ctx = { clock: systemClock, log, db: { streamTarget: { findMany } } } as unknown as SystemContext;
  const sockets = openEgressSockets({ allowCidrs: [] });
  const multistream = createMultistream({ ctx, nodeId: 'n', sockets, whip: withoutWebrtc })({
    streamId: 's',
    renditions: new Renditions(new Packaging().window),
    log,
    report: () => undefined,
  });
  multistream.follow({ playbackId: 'abcd1234efgh5678' } as AuthorizedPublish);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(findMany).toHaveBeenCalledTimes(2);
  let isClosed = false;
  void multistream.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isClosed).toBe(true);
});
