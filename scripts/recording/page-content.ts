import { type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { HOUR_MS, MINUTE_MS } from '@/lib/core/units';
import {
  createStream,
  waitUntilPlaying,
  getJson,
  sendJson,
  waitUntil,
  waitUntilLive,
  uploadFile,
} from './dashboard-session';

/** What `createPageContent` created, for the URLs of pages. */
export interface PageContent {
  readonly liveStream: { readonly id: string; readonly playbackId: string };
  /** An idle stream with a start time. */
  readonly plannedStream: { readonly id: string; readonly playbackId: string };
  readonly asset: { readonly id: string; readonly playbackId: string };
  /** An asset whose file is not a video. */
  readonly failedAsset: { readonly id: string };
  /** An asset that asks viewers for a password. */
  readonly protectedAsset: { readonly id: string; readonly playbackId: string };
  /** A session with a recording. */
  readonly sessionId: string;
  readonly webhookId: string;
}

interface PageContentOptions {
  /** A page that is signed in. */
  readonly page: Page;
  /** A page that is not signed in. */
  readonly viewer: Page;
  /** Path of a folder for temporary files. */
  readonly folder: string;
  /** Path of the test video. */
  readonly sourcePath: string;
  /** Starts an encoder that publishes the test video with this stream key. */
  readonly publish: (streamKey: string) => ChildProcess;
  /**
   * Starts an RTMP server for a multistream target.
   * @returns its URL with a stream key
   */
  readonly startTargetServer: () => Promise<string>;
}

/**
 * Fills the account with objects of every kind, so that no page is empty. Its live stream stays live until the encoder that
 * `publish` started ends.
 */
export async function createPageContent(options: PageContentOptions): Promise<PageContent> {
  const { page, viewer, publish, startTargetServer, folder, sourcePath } = options;
  const liveStream = await createStream(page, 'Harbour camera', {
    multistream: {
      targets: [
        { profile: 'source', spec: { name: 'City website', url: await startTargetServer() } },
        { profile: 'source', spec: { name: 'Yacht club', url: 'rtmp://live.example.com/app/key' } },
      ],
    },
  });
  publish(liveStream.streamKey);
  await waitUntilLive(page, liveStream.id);
  await viewer.goto(`/watch/${liveStream.playbackId}`);
  await waitUntilPlaying(viewer);
  const sessionId = await recordSession(options);
  const plannedStream = await createStream(page, 'Choir rehearsal', {
    startsAt: Date.now() + 2 * HOUR_MS + 5 * MINUTE_MS,
  });
  const suspendedStream = await createStream(page, 'Old lobby');
  await sendJson(page, `/api/stream/${suspendedStream.id}`, { suspended: true }, 'PATCH');

  const asset = await uploadFile(page, sourcePath, 'Advent concert, second half');
  const description =
    'The choir and the brass ensemble in St. Mary’s, recorded on the first Sunday of Advent.\n\nProgramme: https://example.com/advent';
  const chapters = [
    { start: 0, title: 'Welcome' },
    { start: 6, title: 'Brass ensemble' },
    { start: 13, title: 'Carols for everyone' },
  ];
  await sendJson(
    page,
    `/api/asset/${asset.id}`,
    { description, chapters, tags: ['advent', 'choir'] },
    'PATCH',
  );
  const protectedAsset = await uploadFile(page, sourcePath, 'Board meeting');
  const playbackPolicy = { type: 'password', password: 'quiet river' };
  await sendJson(page, `/api/asset/${protectedAsset.id}`, { playbackPolicy }, 'PATCH');
  const textFilePath = join(folder, 'notes.mp4');
  await writeFile(textFilePath, 'These are notes, not a video.\n');
  const failedAsset = await uploadFile(page, textFilePath, 'notes.mp4', 'failed');
  return {
    liveStream,
    plannedStream,
    asset,
    failedAsset,
    protectedAsset,
    sessionId,
    webhookId: await createKeysAndWebhook(page),
  };
}

/**
 * Publishes 12 s to a new stream and waits until the recording is ready.
 * @returns the id of the session
 */
async function recordSession({ page, publish }: PageContentOptions): Promise<string> {
  const stream = await createStream(page, 'Evening news');
  const encoder = publish(stream.streamKey);
  await waitUntilLive(page, stream.id);
  await sleep(12_000);
  encoder.kill('SIGKILL');
  interface Session {
    readonly id: string;
    readonly recordingStatus?: string;
  }
  const listSessions = () => getJson<Session[]>(page, `/api/session?parentId=${stream.id}`);
  await waitUntil(async () => (await listSessions())[0]?.recordingStatus === 'ready', 'a recording');
  return (await listSessions())[0]?.id ?? '';
}

/**
 * Creates API keys, a signing key, and a webhook with a failed delivery, because its host does not exist.
 * @returns the id of the webhook
 */
async function createKeysAndWebhook(page: Page): Promise<string> {
  await sendJson(page, '/api/dashboard/api-keys', { name: 'Backend' });
  await sendJson(page, '/api/dashboard/api-keys', {
    name: 'Website',
    allowedOrigins: ['https://example.com'],
    scopes: ['streams'],
  });
  await sendJson(page, '/api/access-control/signing-key', { name: 'Members' });
  const { id } = await sendJson<{ id: string }>(page, '/api/webhook', {
    name: 'Chat bot',
    url: 'https://hooks.invalid/headwater',
    events: ['stream.started', 'stream.idle', 'recording.ready'],
  });
  await sendJson(page, `/api/dashboard/webhooks/${id}/test`, { event: 'stream.started' });
  return id;
}
