/** One side of an ffmpeg command: options as separate words, then the file or address they belong to. */
export interface FfmpegEnd {
  readonly options: readonly string[];
  readonly url: string;
}

/** What ffmpeg shall do, as data: made by pure functions, carried out by `runFfmpeg`. */
export interface FfmpegPlan {
  readonly inputs: readonly FfmpegEnd[];
  readonly outputs: readonly FfmpegEnd[];
}
