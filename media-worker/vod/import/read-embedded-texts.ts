import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { captionLimits, parseCaptionFile, formatWebVtt } from '@/lib/core/captions/caption-file';
import { type EmbeddedSubtitles, findEmbeddedSubtitles } from '@/lib/core/media/embedded-texts';
import { parseAmount } from '@/lib/core/media/media-probe';
import { MAX_SECONDS } from '@/lib/core/media/media-rules';
import type { TextOfFile } from '@/lib/domain/assets';
import { FfmpegFailed, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { planTexts } from '@/media-worker/media/ffmpeg/text-args';
import type { TaskJob } from '@/media-worker/vod/tasks/task-job';
import type { AcceptedFile } from './accept-file';

/** Maximum size of an extracted file: four bytes for each character that may be stored. */
const MAX_BYTES = 4 * captionLimits.characters;

/**
 * Reads the subtitles inside a file. Unreadable or too long subtitles are left out, because the video plays without
 * them.
 * @throws FfmpegKilled, StorageError `full`
 */
export async function readEmbeddedTexts(
  { ctx, signal, scratch }: TaskJob,
  path: string,
  { report, container }: Pick<AcceptedFile, 'report' | 'container'>,
): Promise<TextOfFile[]> {
  const textTracks = findEmbeddedSubtitles(report);
  if (textTracks.length === 0) return [];
  const folder = join(scratch, 'texts');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const texts = textTracks.map((text) => ({ ...text, output: join(folder, `${text.index}.vtt`) }));
  try {
    const durationSeconds = parseAmount(report.format.duration) ?? MAX_SECONDS;
    await runFfmpegJob(planTexts({ input: path, demuxer: container.demuxer }, texts), {
      signal,
      durationSeconds,
    });
  } catch (error) {
    if (!(error instanceof FfmpegFailed)) throw error;
    // The text before the error is used.
    ctx.log.info({ reason: error.message }, 'subtitles of a file are incomplete');
  }
  const readTexts: TextOfFile[] = [];
  for (const text of texts) readTexts.push(...(await readText(text)));
  return readTexts;
}

async function readText({
  output,
  kind,
  language,
  label,
  isDefault,
}: EmbeddedSubtitles & { readonly output: string }): Promise<TextOfFile[]> {
  const { size } = await stat(output).catch(() => ({ size: 0 }));
  if (size === 0 || size > MAX_BYTES) return [];
  const file = parseCaptionFile(await readFile(output, 'utf8'));
  if (!('cues' in file)) return [];
  const text = formatWebVtt(file.cues);
  if (text.length > captionLimits.characters * 2) return [];
  return [{ kind, language, label, isDefault, cues: file.cues.length, text }];
}
