import type { Scope } from './scope';

/** Default options of a bench. */
interface BenchDefaults {
  /** Repetitions of each measurement. */
  readonly runs: number;
  /** Length of a measured window, in seconds. */
  readonly window: number;
  /** Length of the load before the window, in seconds. */
  readonly warmUp: number;
}

/** Options of a bench from the command line. */
export interface BenchOptions extends BenchDefaults {
  /** Numbers of publishers to measure, each in a row of the table. */
  readonly publishers: readonly number[];
  /** Servers to compare: `headwater`, `nginx`, `ffmpeg`. */
  readonly servers: readonly string[];
  /** Size of the uploaded file in MB. */
  readonly megabytes: number;
  /** Duration of the transcoded file in seconds. */
  readonly seconds: number;
  /** Prints a progress message. */
  readonly progress: (message: string) => void;
}

/** A measurement whose results are a section of docs/benchmarks.md. */
export interface Bench {
  readonly title: string;
  /** What is measured and what the goals are, as text before the results. */
  readonly explanation: string;
  readonly defaults: BenchDefaults;
  /**
   * Runs the measurements.
   * @param directory a temporary folder, which is deleted after the bench
   * @returns the results in Markdown
   */
  readonly run: (scope: Scope, directory: string, options: BenchOptions) => Promise<string>;
}
