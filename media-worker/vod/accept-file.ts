import type { ProbeReport } from '@/lib/core/media-probe';
import { refusalOf, type MediaRules } from '@/lib/core/media-rules';
import { brokenOutline, type Mp4Outline } from '@/lib/core/mp4-outline';
import { probe } from '../ffmpeg/probe';
import { readOutline } from './read-outline';

export type Acceptance =
  | { readonly accepted: true; readonly report: ProbeReport; readonly outline: Mp4Outline }
  | { readonly accepted: false; readonly reason: string };

/**
 * Whether a file is accepted: its boxes first, because that is cheap, then ffprobe.
 * @returns the reason in words for whoever sent it
 * @throws ProbeFault, or an error of the file system, when that could not be found out
 */
export async function acceptFile(
  path: string,
  rules: MediaRules = {},
  signal?: AbortSignal,
): Promise<Acceptance> {
  const outline = await readOutline(path);
  const broken = brokenOutline(outline);
  if (broken) return { accepted: false, reason: broken };
  const probed = await probe(path, signal ? { signal } : {});
  if (!probed.ok) return { accepted: false, reason: probed.reason };
  const reason = refusalOf(probed.report, rules);
  return reason ? { accepted: false, reason } : { accepted: true, report: probed.report, outline };
}
