import type { Scope } from './scope';

interface Amounts {
  /** Repetitions of a bench that measures moments, rounds of one that measures throughput. */
  readonly runs: number;
  /** Seconds of a measured window, and of the load before the first one. */
  readonly window: number;
  readonly warmUp: number;
}

export interface BenchOptions extends Amounts {
  /** Numbers of publishers, one line of the table each. */
  readonly publishers: readonly number[];
  readonly servers: readonly string[];
  /** Size of the file that is uploaded, and length of the one that is transcoded. */
  readonly megabytes: number;
  readonly seconds: number;
  readonly progress: (what: string) => void;
}

export interface Bench {
  readonly title: string;
  readonly explains: string;
  readonly defaults: Amounts;
  /** Works in `directory`, which is removed afterwards. @returns the Markdown of the figures. */
  readonly run: (scope: Scope, directory: string, options: BenchOptions) => Promise<string>;
}
