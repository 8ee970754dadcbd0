import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Container, mp4 } from '@/lib/core/media/container';
import type { ProbeReport } from '@/lib/core/media/media-probe';
import { systemFaultOf } from '@/lib/core/media/process-exit';
import { Semaphore } from './semaphore';
import { openSandbox } from './wrapper';

/** The report of a valid file, or the reason why the file is invalid. */
export type ProbeResult =
  | { readonly ok: true; readonly report: ProbeReport }
  /** The file is invalid: a retry would fail the same way. The reason contains no path. */
  | { readonly ok: false; readonly reason: string };

const DEFAULT_TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 1_048_576;
const sandboxLimits = { memory: 1_500_000_000, fileSize: 1_048_576, cpuSeconds: 30 };
/** Decoders continue when memory runs out, and then report less media than the file has. */
const outOfMemoryPattern = /Cannot allocate memory/;

/** Maximum number of tracks in a file; cameras write about five. */
const MAX_TRACKS = 64;
const tooManyTracksPattern = /Number of streams exceeds max_streams/;

/**
 * Forces the demuxer and limits protocols to local files, because a text named .mp4 may be a playlist of other
 * files. These demuxers do not follow references to other files by default.
 */
const buildProbeArgs = (demuxer: string, ignoresEdits: boolean): string[] => [
  ...(ignoresEdits ? ['-ignore_editlist', '1'] : []),
  ...['-v', 'error', '-protocol_whitelist', 'file', '-f', demuxer, '-max_streams', String(MAX_TRACKS)],
  ...['-probesize', '20M', '-analyzeduration', '20M'],
  ...['-show_format', '-show_streams', '-show_chapters', '-of', 'json'],
];

/**
 * Limits concurrent probes, because uploads often end at the same time: more of them would not be faster, but need
 * more memory.
 */
const probeSlots = new Semaphore(Math.max(2, availableParallelism()));

const optionalText = z.string().optional();
const optionalNumber = z.number().optional();
const reportSchema = z.object({
  streams: z.array(
    z.object({
      index: optionalNumber,
      codec_type: optionalText,
      codec_name: optionalText,
      codec_tag_string: optionalText,
      width: optionalNumber,
      height: optionalNumber,
      pix_fmt: optionalText,
      sample_aspect_ratio: optionalText,
      field_order: optionalText,
      color_range: optionalText,
      color_space: optionalText,
      color_transfer: optionalText,
      avg_frame_rate: optionalText,
      r_frame_rate: optionalText,
      bit_rate: optionalText,
      duration: optionalText,
      start_time: optionalText,
      time_base: optionalText,
      channels: optionalNumber,
      sample_rate: optionalText,
      disposition: z
        .object({
          attached_pic: optionalNumber,
          default: optionalNumber,
          forced: optionalNumber,
          hearing_impaired: optionalNumber,
        })
        .optional(),
      tags: z.object({ BPS: optionalText, language: optionalText, title: optionalText }).optional(),
      side_data_list: z.array(z.object({ rotation: optionalNumber })).optional(),
    }),
  ),
  chapters: z
    .array(z.object({ start_time: optionalText, tags: z.object({ title: optionalText }).optional() }))
    .optional(),
  format: z.object({
    start_time: optionalText,
    format_name: optionalText,
    duration: optionalText,
    bit_rate: optionalText,
  }),
});

/** Thrown if the file could not be checked: the probe was killed, timed out or could not run. A retry may succeed. */
export class ProbeFault extends Error {
  override readonly name = 'ProbeFault';
  readonly userMessage = 'the file could not be checked';
}

/**
 * Reads a file of this container with ffprobe, without network and within limits. Only a completed probe decides that
 * a file is invalid.
 * @throws ProbeFault if the file could not be checked, or on abort
 */
export async function probe(
  path: string,
  {
    signal,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    container = mp4,
    ignoresEdits = false,
  }: {
    readonly signal?: AbortSignal | undefined;
    readonly timeoutMs?: number;
    readonly container?: Container;
    /** Ignores the edit lists of an MP4, so that the duration of tracks is that of their media. */
    readonly ignoresEdits?: boolean;
  } = {},
): Promise<ProbeResult> {
  const { demuxer, label } = container;
  const { error, stdout, stderr } = await probeSlots.run(() =>
    runProbe(resolve(path), buildProbeArgs(demuxer, ignoresEdits), { signal, timeoutMs }),
  );
  if (signal?.aborted) throw new ProbeFault('The probe was aborted', { cause: error });
  if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return { ok: false, reason: 'the metadata of the file is too large' };
  // ffprobe reports too many tracks as "out of memory".
  if (tooManyTracksPattern.test(stderr))
    return { ok: false, reason: `the file has more than ${MAX_TRACKS} tracks` };
  if (error?.killed) throw new ProbeFault('ffprobe took too long', { cause: error });
  const fault = error
    ? systemFaultOf({ code: typeof error.code === 'number' ? error.code : null, stderr })
    : outOfMemoryPattern.exec(stderr)?.[0];
  if (fault) throw new ProbeFault(`ffprobe failed: ${fault}`, { cause: error });
  const json = parseJson(stdout);
  if (json === null && !error) throw new ProbeFault('ffprobe wrote incomplete output');
  const parseResult = reportSchema.safeParse(json);
  if (!error && parseResult.success) return { ok: true, report: parseResult.data };
  return { ok: false, reason: unreadableReason(stderr, label) };
}

interface ProbeOutput {
  readonly error: (Error & { readonly code?: unknown; readonly killed?: boolean }) | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runProbe(
  path: string,
  options: readonly string[],
  { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
): Promise<ProbeOutput> {
  const program = openSandbox('ffprobe', sandboxLimits, { read: [path], write: [] });
  const execOptions = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
  return new Promise<ProbeOutput>((resolve) => {
    const child = execFile(
      program.path,
      [...options, `file:${path}`],
      { ...execOptions, ...(signal ? { signal } : {}) },
      (error, stdout, stderr) => resolve({ error, stdout, stderr }),
    );
    child.stdin?.end();
  }).finally(() => program.close());
}

function parseJson(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

function unreadableReason(stderr: string, label: string): string {
  if (stderr.includes('moov atom not found'))
    return 'the file is incomplete: its index (the moov box) is missing';
  return `the file cannot be read as ${label}`;
}
