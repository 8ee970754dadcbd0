import { beforeEach } from 'vitest';
import { StreamView } from '@/app/(dashboard)/streams/[id]/stream-view';
import { listIngests } from '@/lib/contract/service';
import { listSessions } from '@/lib/contract/sessions/session';
import type { Stream } from '@/lib/contract/streams/stream';
import { getStream } from '@/lib/contract/streams/stream-endpoints';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { getTestPattern } from '@/lib/contract/streams/test-pattern';
import { getStreamPreview } from '@/lib/contract/access/preview';
import { getStreamViewers } from '@/lib/contract/streams/viewers';
import { getStreamMultistream, listTargets } from '@/lib/contract/targets/multistream';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';
import { exampleOf, setUpFakeService, pageOf } from './fake-service';
import { renderPage } from './render-page';

export const { id: streamId } = exampleOf(getStream);
/** Health of a stream that is not live. */
export const idleHealth = exampleOf(getStreamHealth, {
  isActive: false,
  issues: null,
  latest: null,
  samples: [],
});

/** Test pattern of a team without video. */
export const noTestPattern = { running: false, endsAt: null, preview: null, videoReceived: false };

/** The service behind the stream page, with an idle stream that has no history. */
export function setUpStreamPage() {
  const service = setUpFakeService();
  beforeEach(() => {
    service().onExamples(listIngests, getStreamViewers, listTargets, getStreamPreview);
    service().on(getTestPattern, noTestPattern);
    service().on(listStreamEvents, pageOf([]));
    service().on(getStreamMultistream, []);
    service().on(listSessions, pageOf([]));
    service().on(getStreamHealth, idleHealth);
  });
  /** Opens the stream page for the example of the API reference with `initialChange` applied. */
  const openStream = (initialChange: Partial<Stream> = {}, tab?: string) => {
    let stream = exampleOf(getStream, initialChange);
    service().on(getStream, () => stream);
    return {
      ...renderPage(<StreamView id={streamId} />, { at: `/streams/${streamId}${tab ? `?tab=${tab}` : ''}` }),
      /** Changes the stream that the service returns. */
      changeStream: (change: Partial<Stream>) => (stream = { ...stream, ...change }),
    };
  };
  return { service, openStream };
}
