import type { StatusTone } from '@/components/ui/status-pill';
import type { Profile } from '@/lib/contract/streams/profile';
import { bitrateInWords } from '@/components/streams/health/health-words';

/** "1280×720 · 3.0 Mbit/s · 30 fps" */
export function renditionInWords({ width, height, bitrate, fps, fpsDen = 1 }: Profile): string {
  const frames = fps === 0 ? 'source frame rate' : `${Math.round((fps / fpsDen) * 100) / 100} fps`;
  return [`${width}×${height}`, bitrateInWords(bitrate), frames].join(' · ');
}

interface LiveState {
  readonly isActive: boolean;
  readonly issues: readonly string[] | null;
}

/** State of a rendition; null while the stream is idle. The reason for a warning is among the issues of the stream. */
export function renditionState(
  name: string,
  { isActive, issues }: LiveState,
): { readonly label: string; readonly tone: StatusTone } | null {
  if (!isActive) return null;
  for (const issue of issues ?? []) {
    if (issue.startsWith('renditions need video')) return { label: 'Left out', tone: 'warn' };
    if (!issue.startsWith(`rendition "${name}" `)) continue;
    return { label: issue.includes('is paused: ') ? 'Paused' : 'Left out', tone: 'warn' };
  }
  return issues?.some((issue) => issue.startsWith('transcoding failed'))
    ? { label: 'Restarting', tone: 'warn' }
    : { label: 'Running', tone: 'accent' };
}
