import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AssetView } from '@/app/(dashboard)/assets/[id]/asset-view';
import { AssetsView } from '@/app/(dashboard)/assets/assets-view';
import { KeysView } from '@/app/(dashboard)/developers/keys/keys-view';
import { SigningKeysView } from '@/app/(dashboard)/developers/signing-keys/signing-keys-view';
import { WebhookView } from '@/app/(dashboard)/developers/webhooks/[id]/webhook-view';
import { WebhooksView } from '@/app/(dashboard)/developers/webhooks/webhooks-view';
import { HomeView } from '@/app/(dashboard)/home-view';
import { SessionView } from '@/app/(dashboard)/sessions/[id]/session-view';
import { SessionsView } from '@/app/(dashboard)/sessions/sessions-view';
import { StreamView } from '@/app/(dashboard)/streams/[id]/stream-view';
import { StreamsView } from '@/app/(dashboard)/streams/streams-view';
import { TargetsView } from '@/app/(dashboard)/targets/targets-view';
import { TasksView } from '@/app/(dashboard)/tasks/tasks-view';
import { UsageView } from '@/app/(dashboard)/usage/usage-view';
import { NodesView } from '@/components/nodes/nodes-view';
import { findEnglishTexts, isEnglish } from '@/components/testing/find-english';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getOverview } from '@/lib/contract/accounts/overview';
import { getAsset, listAssets } from '@/lib/contract/assets/asset-endpoints';
import { listNodes } from '@/lib/contract/nodes/node';
import { registry } from '@/lib/contract/registry';
import { listSessions } from '@/lib/contract/sessions/session';
import { getStream, listStreams } from '@/lib/contract/streams/stream-endpoints';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { getStreamMultistream } from '@/lib/contract/targets/multistream';
import { listTasks } from '@/lib/contract/tasks/task';
import { listStreamEvents } from '@/lib/contract/webhooks/event-endpoints';
import { listWebhookLogs } from '@/lib/contract/webhooks/webhook-log-endpoints';
import { issueReasonsField, reasonField } from '@/lib/core/reasons/reason';

// German pages contain no English text, neither of the catalogue nor of the service.

const service = setUpFakeService();

const issues = [
  'The bitrate swings widely: set the encoder to constant bitrate (CBR), below what the upload can carry',
  'rendition "720p" is paused: this machine is too slow for it; it will be retried later',
  'Hint: the encoder sends no audio. Add an audio source, even a silent one: some players and platforms need it',
];
const healthFields = { issues, ...issueReasonsField(issues) };
const failedStatus = (errorMessage: string) => ({
  phase: 'failed' as const,
  updatedAt: Date.now(),
  errorMessage,
  ...reasonField('errorReason', errorMessage),
});
/** Id in the URLs of all pages: the fake service responds to any id. */
const { id } = exampleOf(getStream);

/** The service responds with the examples of the API reference, and with an error wherever an object can have one. */
beforeEach(() => {
  service().onExamples(...registry.filter(({ method }) => method === 'GET'));
  service().on(getStream, exampleOf(getStream, { isActive: true, isHealthy: false, ...healthFields }));
  service().on(
    listStreams,
    pageOf([exampleItemOf(listStreams, { isActive: true, isHealthy: false, ...healthFields })]),
  );
  service().on(
    getStreamHealth,
    exampleOf(getStreamHealth, { isActive: true, isHealthy: false, ...healthFields }),
  );
  const message = 'the target closed the connection';
  service().on(getStreamMultistream, [
    exampleItemOf(getStreamMultistream, {
      state: 'error',
      lastError: { message, ...reasonField('reason', message), at: Date.now() },
    }),
  ]);
  const rejection = 'another encoder is publishing to this stream';
  service().on(
    listStreamEvents,
    pageOf([
      exampleItemOf(listStreamEvents, {
        event: 'stream.rejected',
        createdAt: Date.now(),
        payload: { reason: 'already_live', message: rejection, address: '192.0.2.1' },
        ...reasonField('reason', rejection),
      }),
    ]),
  );
  const recordingError = 'There is not enough disk space for the MP4 of the recording.';
  service().on(
    listSessions,
    pageOf([
      exampleItemOf(listSessions, {
        recordingStatus: 'failed',
        recordingError,
        ...reasonField('recordingErrorReason', recordingError),
      }),
    ]),
  );
  const rejectedStatus = failedStatus('video codec is HEVC; H.264 is accepted');
  service().on(getAsset, exampleOf(getAsset, { status: rejectedStatus }));
  service().on(listAssets, pageOf([exampleItemOf(listAssets, { status: rejectedStatus })]));
  service().on(
    listTasks,
    pageOf([exampleItemOf(listTasks, { status: failedStatus('the file server answered 404') })]),
  );
  const fullReason = 'the server has reached its limit of 3 streams';
  service().on(listNodes, [
    exampleItemOf(listNodes, { state: 'online', fullReason, ...reasonField('fullCause', fullReason) }),
  ]);
  const error = 'the receiver answered 500';
  service().on(
    listWebhookLogs,
    pageOf([exampleItemOf(listWebhookLogs, { error, ...reasonField('errorReason', error) })]),
  );
  const attention = ['The recording failed', 'Disabled: deliveries kept failing', ...issues.slice(0, 1)];
  service().on(
    getOverview,
    exampleOf(getOverview, {
      attention: attention.map((message, index) => ({
        kind: 'stream',
        id,
        name: `Town hall ${index}`,
        message,
        at: null,
        ...reasonField('reason', message),
      })),
    }),
  );
  vi.stubGlobal('scrollTo', () => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** Pages, with a text of the service that must be visible. */
const pages: readonly (readonly [path: string, page: ReactNode, serviceText?: RegExp])[] = [
  ['/', <HomeView key="home" />, /Die Aufnahme ist fehlgeschlagen/],
  ['/streams', <StreamsView key="streams" />],
  [`/streams/${id}`, <StreamView key="stream" id={id} />, /Die Bitrate schwankt stark/],
  [`/streams/${id}?tab=events`, <StreamView key="events" id={id} />, /Ein anderer Encoder sendet/],
  [`/streams/${id}?tab=sessions`, <StreamView key="past" id={id} />],
  [`/streams/${id}?tab=settings`, <StreamView key="settings" id={id} />],
  ['/sessions', <SessionsView key="sessions" />],
  [`/sessions/${id}`, <SessionView key="session" id={id} />],
  ['/assets', <AssetsView key="assets" />, /Der Videocodec ist HEVC/],
  [`/assets/${id}`, <AssetView key="asset" id={id} />, /Der Videocodec ist HEVC/],
  [`/assets/${id}?tab=files`, <AssetView key="files" id={id} />],
  ['/tasks', <TasksView key="tasks" />, /Der Dateiserver antwortete mit 404/],
  ['/targets', <TargetsView key="targets" />],
  ['/developers/keys', <KeysView key="keys" email="ada@example.com" />],
  ['/developers/signing-keys', <SigningKeysView key="signing" />],
  ['/developers/webhooks', <WebhooksView key="webhooks" />],
  [`/developers/webhooks/${id}`, <WebhookView key="webhook" id={id} email="ada@example.com" />],
  ['/usage', <UsageView key="usage" />],
  ['/admin/nodes', <NodesView key="nodes" />, /Grenze von 3 Streams/],
];

/** Names from the examples, which are also placeholders of forms, and names that encoders send. */
const untranslatedNames: ReadonlySet<string> = new Set(['Town hall', 'Chat bot', 'source']);

test.each(pages.map(([path, page, serviceText]) => ({ path, page, serviceText })))(
  'the German page $path contains no English text',
  async ({ path, page, serviceText }) => {
    const consoleErrors = vi.spyOn(console, 'error');
    const { container } = renderPage(page, { at: path, language: 'de' });
    await waitFor(() => expect(container.querySelector('[aria-busy="true"]')).toBeNull());
    if (serviceText) await screen.findAllByText(serviceText);
    expect(findEnglishTexts(document.body).filter((text) => !untranslatedNames.has(text))).toEqual([]);
    // Fails for React warnings, such as two children with the same key.
    expect(consoleErrors).not.toHaveBeenCalled();
  },
);

test.each(['the file is empty', 'The file is empty.', 'Needs attention', 'Das ist deutsch.'])(
  'isEnglish recognizes whether "%s" is English',
  (text) => expect(isEnglish(text)).toBe(!text.startsWith('Das')),
);
