import { LRUCache } from 'lru-cache';
import { createDvrPlaylist } from '@/lib/core/hls/dvr-playlist';
import {
  type RecordedSegment,
  compareSegments,
  hlsFolder,
  initPath,
  parseSegmentName,
  segmentPath,
} from '@/lib/core/sessions/recorded-segment';
import { recordingKey, recordingPrefix } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { recordedRenditionFolder } from '@/media-worker/recording/session-recording';
import type { HlsPath } from '@/media-worker/kit/http/hls-request';
import { contentTypes } from '@/media-worker/kit/http/content-types';
import type { LookupCache } from '@/media-worker/delivery/origin/lookup-cache';
import type { ServedFile } from './serve-file';
import { immutable } from './cache-control';

export interface DvrOptions {
  readonly list: StorageDriver['list'];
  /** The storage as viewers read it, including HLS that is made from indexes. */
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  /** The running session and DVR length of each stream, by playback id. */
  readonly sessions: Pick<LookupCache<{ readonly id: string; readonly seconds: number }>, 'find'>;
  /** How long a list of stored segments is cached: shorter than the live window, so that the list and the window overlap. */
  readonly listMaxAgeMs?: number;
}

type SegmentsByFolder = ReadonlyMap<string, readonly RecordedSegment[]>;

const MAX_SESSIONS = 200;

/** DVR of live streams: serves stored segments of the running session. */
export class Dvr {
  readonly storage: DvrOptions['storage'];
  readonly #sessions: DvrOptions['sessions'];
  readonly #recordings: LRUCache<string, SegmentsByFolder>;

  constructor({ storage, list, sessions, listMaxAgeMs = 4_000 }: DvrOptions) {
    this.storage = storage;
    this.#sessions = sessions;
    this.#recordings = new LRUCache({
      max: MAX_SESSIONS,
      ttl: listMaxAgeMs,
      fetchMethod: (sessionId) => listSegments(list, sessionId),
    });
  }

  /**
   * Adds the stored segments before the live window to a media playlist.
   * @param livePlaylist returned unchanged if nothing is stored, or the database or storage is unavailable
   */
  async extendPlaylist({ playbackId, rendition }: HlsPath, livePlaylist: Buffer): Promise<Buffer> {
    const session = await this.#sessions.find(playbackId).catch(() => null);
    const folders = session && (await this.#recordings.fetch(session.id).catch(() => undefined));
    const segments = folders?.get(recordingFolderOf(rendition));
    return segments
      ? Buffer.from(createDvrPlaylist(livePlaylist.toString(), segments, session?.seconds ?? 0))
      : livePlaylist;
  }

  /**
   * The stored file of a segment or init segment that has left the window; null if there is none. Whether an init segment
   * exists is not checked: its reader finds out.
   * @throws if the storage is unavailable, because a 404 would tell players that the file is gone
   */
  async findFile({ playbackId, rendition, kind, file }: HlsPath): Promise<ServedFile | null> {
    const session = await this.#sessions.find(playbackId).catch(() => null);
    if (!session) return null;
    const folder = recordingFolderOf(rendition);
    const fileOptions = { contentType: contentTypes[kind], cacheControl: immutable };
    const delivery = (seconds: number) => ({ kind: 'stream', id: playbackId, seconds }) as const;
    const period = /^init-([0-9-]{1,32})\.mp4$/.exec(file)?.[1];
    if (period !== undefined) {
      return {
        ...fileOptions,
        key: recordingKey(session.id, initPath(folder, period)),
        delivery: delivery(0),
      };
    }
    const msn = Number(/^(\d+)\.m4s$/.exec(file)?.[1] ?? Number.NaN);
    const folders = await this.#recordings.fetch(session.id);
    const segment = folders?.get(folder)?.findLast((candidate) => candidate.msn === msn);
    if (!segment) return null;
    const key = recordingKey(session.id, segmentPath(folder, segment));
    return { ...fileOptions, key, delivery: delivery(segment.durationMs / 1_000) };
  }
}

/** The folder of a rendition in a recording; its name differs from the name in URLs. */
function recordingFolderOf(rendition: string | null): string {
  try {
    return recordedRenditionFolder(decodeURIComponent((rendition ?? '').replaceAll('~', '%')));
  } catch {
    return '';
  }
}

async function listSegments(list: StorageDriver['list'], sessionId: string): Promise<SegmentsByFolder> {
  const segmentsByFolder = new Map<string, RecordedSegment[]>();
  const prefix = `${recordingPrefix(sessionId)}${hlsFolder}`;
  for await (const { key, bytes } of list(prefix)) {
    const [folder = '', file = ''] = key.slice(prefix.length).split('/');
    const segment = parseSegmentName(file);
    if (!segment || bytes === 0) continue;
    const segments = segmentsByFolder.get(folder);
    if (segments) segments.push(segment);
    else segmentsByFolder.set(folder, [segment]);
  }
  for (const segments of segmentsByFolder.values()) segments.sort(compareSegments);
  return segmentsByFolder;
}

/** Creates the master playlist of DVR, whose URLs lead to the media playlists with the stored segments (`dvr=1`). */
export function createDvrMasterPlaylist(master: Buffer): Buffer {
  const text = master
    .toString()
    .replace(/^[^#\s].*$/gm, (uri) => `${uri}${uri.includes('?') ? '&' : '?'}dvr=1`);
  return Buffer.from(text.replaceAll(/(URI="[^"?]+\.m3u8)"/g, '$1?dvr=1"'));
}
