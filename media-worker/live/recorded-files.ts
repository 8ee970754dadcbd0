import { createHash } from 'node:crypto';
import { sourceProfile } from '@/lib/core/profile-rules';
import {
  initFile,
  segmentFile,
  sourceFolder,
  periodFile,
  type RecordedSegment,
  type RecordedPeriod,
} from '@/lib/core/recorded-segment';
import type { LiveWindow } from './window';
import type { WindowSegment } from './window-segment';
import type { RecordedFile } from '../recording/spool';

/** Folder of a rendition: its name may hold anything, a key may not. */
export function folderOf(rendition: string): string {
  if (rendition === sourceProfile) return sourceFolder;
  return `r-${createHash('sha256').update(rendition).digest('hex').slice(0, 16)}`;
}

/** The segment itself, as it is played live. */
export function segmentFileOf(rendition: string, segment: WindowSegment): RecordedFile {
  const recorded: RecordedSegment = {
    period: periodOf(segment),
    msn: segment.msn,
    startMs: segment.startMs,
    durationMs: segment.durationMs,
    wallMs: segment.wallMs,
    independent: segment.independent,
  };
  return {
    file: segmentFile(folderOf(rendition), recorded),
    body: segment.parts.flatMap(({ data }) => data),
  };
}

/** What a segment needs to be played: what is known of its period, and the init segment. Both come before it. */
export function periodFilesOf(
  rendition: string,
  segment: WindowSegment,
  window: Pick<LiveWindow, 'facts'>,
): RecordedFile[] {
  const folder = folderOf(rendition);
  const period = periodOf(segment);
  const facts = window.facts();
  const known: RecordedPeriod = {
    rendition,
    codecs: facts?.codecs ?? [],
    ...(facts?.resolution ? { resolution: facts.resolution } : {}),
    ...(facts?.frameRate === undefined ? {} : { frameRate: facts.frameRate }),
  };
  return [
    { file: periodFile(folder, period), body: [Buffer.from(JSON.stringify(known))] },
    { file: initFile(folder, period), body: [segment.period.initData] },
  ];
}

/** `init-7-1.mp4` → `7-1` */
export function periodOf({ init }: Pick<WindowSegment, 'init'>): string {
  return init.slice('init-'.length, -'.mp4'.length);
}
