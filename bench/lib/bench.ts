import type { Scope } from './scope';

interface Amounts {
  /** Repetitions of each measurement. */
  readonly runs: number;
  /** Seconds of a measured window, and of the load before it. */
  readonly window: number;
  readonly warmUp: number;
}

export interface BenchOptions extends Amounts {
  /** Numbers of publishers to measure, each in a row of the table. */
  readonly publishers: readonly number[];
  readonly servers: readonly string[];
  /** Size of the uploaded file in MB, and duration of the transcoded one. */
  readonly megabytes: number;
  readonly seconds: number;
  readonly progress: (message: string) => void;
}

export interface Bench {
  readonly title: string;
  readonly explains: string;
  readonly defaults: Amounts;
  /**
   * @param directory a temporary folder, removed afterwards.
   * @returns the results in Markdown
   */
  readonly run: (scope: Scope, directory: string, options: BenchOptions) => Promise<string>;
}
