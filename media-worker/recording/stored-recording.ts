import { z } from 'zod';
import {
  hlsFolder,
  initPath,
  parseSegmentName,
  formatSegmentName,
  periodPath,
  type RecordedSegment,
  type RecordedPeriod,
} from '@/lib/core/sessions/recorded-segment';
import type { RenditionSegment, RecordedRendition } from '@/lib/core/sessions/recording-timeline';
import { recordingKey, recordingPrefix } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';

/** All stored and playable files of one session. */
export interface StoredRecording {
  readonly renditions: readonly RecordedRendition[];
  /** Facts of periods (parts of the session with one configuration) by `<folder>/<period>`. */
  readonly periods: ReadonlyMap<string, RecordedPeriod>;
  /** Size of each segment file in bytes, by `<folder>/<name>`. */
  readonly fileBytes: ReadonlyMap<string, number>;
  /** Names of periods that cannot be read, and whose segments are therefore left out. */
  readonly unreadable: readonly string[];
}

const periodSchema = z.object({
  rendition: z.string(),
  codecs: z.array(z.string()),
  resolution: z.object({ width: z.number(), height: z.number() }).exactOptional(),
  frameRate: z.number().exactOptional(),
  videoRange: z.enum(['PQ', 'HLG']).exactOptional(),
  soundAdded: z.literal(true).exactOptional(),
});

/**
 * Reads the recording of a session from its list of objects. Files that a crash left incomplete, and segments without their
 * init segment or the facts of their period, are left out: a retry would find the same files, and the rest can be played.
 */
export async function readStoredRecording(
  storage: Pick<StorageDriver, 'list' | 'read' | 'head'>,
  sessionId: string,
): Promise<StoredRecording> {
  const segmentsByFolder = new Map<string, RecordedSegment[]>();
  const fileBytes = new Map<string, number>();
  const prefix = `${recordingPrefix(sessionId)}${hlsFolder}`;
  for await (const object of storage.list(prefix)) {
    const name = object.key.slice(prefix.length);
    const [folder = '', file = ''] = name.split('/');
    const segment = parseSegmentName(file);
    if (!segment || object.bytes === 0) continue;
    fileBytes.set(name, object.bytes);
    const segments = segmentsByFolder.get(folder);
    if (segments) segments.push(segment);
    else segmentsByFolder.set(folder, [segment]);
  }
  const { periods, unreadable } = await readPeriods(storage, sessionId, segmentsByFolder);
  const renditions = [...segmentsByFolder].map(([folder, segments]) => ({
    folder,
    segments: segments.filter(({ period }) => periods.has(`${folder}/${period}`)),
  }));
  return { renditions, periods, fileBytes, unreadable };
}

/** Size of the file of a segment, in bytes; 0 if it is not stored. */
export function fileBytesOf({ fileBytes }: StoredRecording, segment: RenditionSegment): number {
  return fileBytes.get(`${segment.folder}/${formatSegmentName(segment)}`) ?? 0;
}

/** Whether the audio of all these segments began as silence that was added to the video. */
export function hasOnlyAddedAudio(
  { periods }: StoredRecording,
  segments: readonly RenditionSegment[],
): boolean {
  return segments.every(({ folder, period }) => periods.get(`${folder}/${period}`)?.soundAdded === true);
}

async function readPeriods(
  storage: Pick<StorageDriver, 'read' | 'head'>,
  sessionId: string,
  segmentsByFolder: ReadonlyMap<string, readonly RecordedSegment[]>,
): Promise<Pick<StoredRecording, 'periods' | 'unreadable'>> {
  const periods = new Map<string, RecordedPeriod>();
  const unreadable: string[] = [];
  for (const [folder, segments] of segmentsByFolder) {
    for (const period of new Set(segments.map((segment) => segment.period))) {
      const init = await storage.head(recordingKey(sessionId, initPath(folder, period)));
      const storedPeriod = await readPeriod(storage, recordingKey(sessionId, periodPath(folder, period)));
      if (init && init.bytes > 0 && storedPeriod) periods.set(`${folder}/${period}`, storedPeriod);
      else unreadable.push(`${folder}/${period}`);
    }
  }
  return { periods, unreadable };
}

/** The facts of a period; null if their file is missing or malformed. Rejects if the storage fails. */
async function readPeriod(storage: Pick<StorageDriver, 'read'>, key: string): Promise<RecordedPeriod | null> {
  const body = await storage.read(key);
  if (!body) return null;
  const text = Buffer.concat((await body.toArray()) as Buffer[]).toString();
  try {
    return periodSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
