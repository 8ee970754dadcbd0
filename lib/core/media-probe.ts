/** What ffprobe says about a file, as far as it is used here; numbers are texts, as ffprobe writes them. */
export interface ProbeReport {
  readonly streams: readonly ProbedStream[];
  readonly format: ProbedFormat;
}

export interface ProbedFormat {
  readonly start_time?: string | undefined;
  readonly format_name?: string | undefined;
  readonly duration?: string | undefined;
  readonly bit_rate?: string | undefined;
}

export interface ProbedStream {
  readonly codec_type?: string | undefined;
  readonly codec_name?: string | undefined;
  readonly codec_tag_string?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly pix_fmt?: string | undefined;
  readonly avg_frame_rate?: string | undefined;
  readonly r_frame_rate?: string | undefined;
  readonly bit_rate?: string | undefined;
  readonly duration?: string | undefined;
  readonly channels?: number | undefined;
  readonly sample_rate?: string | undefined;
  readonly disposition?: { readonly attached_pic?: number | undefined } | undefined;
  readonly tags?: { readonly BPS?: string | undefined } | undefined;
  readonly side_data_list?:
    | readonly { readonly rotation?: number | undefined; readonly displaymatrix?: string | undefined }[]
    | undefined;
}

/** Streams of one kind. A picture of the cover is no video. */
export function streamsOf({ streams }: ProbeReport, kind: 'video' | 'audio'): readonly ProbedStream[] {
  return streams.filter((stream) => stream.codec_type === kind && stream.disposition?.attached_pic !== 1);
}

/** A number that ffprobe wrote, or null for "N/A", nothing, and what is no amount. */
export function amount(text: string | undefined): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/** Frames per second of a fraction such as "30000/1001", to three places; 0 when there is none. */
export function frameRate({ avg_frame_rate, r_frame_rate }: ProbedStream): number {
  for (const fraction of [avg_frame_rate, r_frame_rate]) {
    const [frames = Number.NaN, seconds = 1] = (fraction ?? '').split('/').map(Number);
    const rate = frames / seconds;
    if (Number.isFinite(rate) && rate > 0) return Math.round(rate * 1_000) / 1_000;
  }
  return 0;
}

/** Seconds that the video lasts; 0 when the file does not say. */
export function videoDuration(report: ProbeReport): number {
  return amount(streamsOf(report, 'video')[0]?.duration) ?? amount(report.format.duration) ?? 0;
}

/**
 * How the picture is turned before it is shown: nine numbers as a track header has them (ISO/IEC 14496-12 §8.3.2);
 * null when it is shown as it is.
 */
export function displayMatrix(report: ProbeReport): readonly number[] | null {
  const [video] = streamsOf(report, 'video');
  const text = video?.side_data_list?.find(({ displaymatrix }) => displaymatrix !== undefined)?.displaymatrix;
  const rows = (text ?? '').split('\n').map((line) => line.split(':')[1]?.trim() ?? '');
  const numbers = rows.filter((row) => row !== '').flatMap((row) => row.split(/\s+/).map(Number));
  return numbers.length === 9 && numbers.every(Number.isInteger) ? numbers : null;
}
