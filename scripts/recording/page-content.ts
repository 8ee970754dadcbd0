import { type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { HOUR_MS, MINUTE_MS } from '@/lib/core/units';
import {
  createStream,
  waitUntilPlaying,
  readJson,
  sendJson,
  waitUntil,
  waitUntilLive,
  upload,
} from './dashboard-session';

export interface PageContent {
  readonly live: { readonly id: string; readonly playbackId: string };
  readonly planned: { readonly id: string; readonly playbackId: string };
  readonly asset: { readonly id: string; readonly playbackId: string };
  readonly failedAsset: { readonly id: string };
  readonly protectedAsset: { readonly id: string; readonly playbackId: string };
  readonly session: string;
  readonly webhook: string;
}

interface ContentOptions {
  /** A page that is signed in. */
  readonly page: Page;
  /** A page that is not signed in. */
  readonly viewer: Page;
  readonly folder: string;
  /** The test video. */
  readonly source: string;
  /** Streams the test video to the stream with this key. */
  readonly publish: (key: string) => ChildProcess;
  /**
   * Starts another service.
   * @returns its RTMP URL with a stream key
   */
  readonly receive: () => Promise<string>;
}

/** Fills the account with objects of every kind, so that no page is empty. */
export async function createContent(options: ContentOptions): Promise<PageContent> {
  const { page, viewer, publish, receive, folder, source } = options;
  const live = await createStream(page, 'Harbour camera', {
    multistream: {
      targets: [
        { profile: 'source', spec: { name: 'City website', url: await receive() } },
        { profile: 'source', spec: { name: 'Yacht club', url: 'rtmp://live.example.com/app/key' } },
      ],
    },
  });
  publish(live.streamKey);
  await waitUntilLive(page, live.id);
  await viewer.goto(`/watch/${live.playbackId}`);
  await waitUntilPlaying(viewer);
  const session = await recordSession(options);
  const planned = await createStream(page, 'Choir rehearsal', {
    startsAt: Date.now() + 2 * HOUR_MS + 5 * MINUTE_MS,
  });
  const lobby = await createStream(page, 'Old lobby');
  await sendJson(page, `/api/stream/${lobby.id}`, { suspended: true }, 'PATCH');

  const asset = await upload(page, source, 'Advent concert, second half');
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
  const protectedAsset = await upload(page, source, 'Board meeting');
  const playbackPolicy = { type: 'password', password: 'quiet river' };
  await sendJson(page, `/api/asset/${protectedAsset.id}`, { playbackPolicy }, 'PATCH');
  const text = join(folder, 'notes.mp4');
  await writeFile(text, 'These are notes, not a video.\n');
  const failedAsset = await upload(page, text, 'notes.mp4', 'failed');
  return {
    live,
    planned,
    asset,
    failedAsset,
    protectedAsset,
    session,
    webhook: await createKeysAndWebhook(page),
  };
}

/**
 * Records a session.
 * @returns its id when the recording is ready
 */
async function recordSession({ page, publish }: ContentOptions): Promise<string> {
  const stream = await createStream(page, 'Evening news');
  const encoder = publish(stream.streamKey);
  await waitUntilLive(page, stream.id);
  await sleep(12_000);
  encoder.kill('SIGKILL');
  interface Session {
    readonly id: string;
    readonly recordingStatus?: string;
  }
  const sessions = () => readJson<Session[]>(page, `/api/session?parentId=${stream.id}`);
  await waitUntil(async () => (await sessions())[0]?.recordingStatus === 'ready', 'a recording');
  return (await sessions())[0]?.id ?? '';
}

/**
 * Creates keys, and a webhook whose server does not exist.
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
