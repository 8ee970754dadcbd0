import type { Scope } from './scope';

interface BenchDefaults {
  /** Repetitions of each measurement. */
  readonly runs: number;
  /** Length of a measured window, and of the load before the window, in seconds. */
  readonly window: number;
  readonly warmUp: number;
}

export interface BenchOptions extends BenchDefaults {
  /** Numbers of publishers to measure, each in a row of the table. */
  readonly publishers: readonly number[];
  readonly servers: readonly string[];
  /** Size of the uploaded file in MB, and duration of the transcoded file in seconds. */
  readonly megabytes: number;
  readonly seconds: number;
  readonly progress: (message: string) => void;
}

export interface Bench {
  readonly title: string;
  readonly explanation: string;
  readonly defaults: BenchDefaults;
  /**
   * Runs the measurements.
   * @param directory a temporary folder, which is deleted after the bench
   * @returns the results in Markdown
   */
  readonly run: (scope: Scope, directory: string, options: BenchOptions) => Promise<string>;
}
