import type { ProgramInput, ProgramReport } from '@/lib/core/streams/program-state';
import { manualSlateIssue, slateOnAirIssue } from '@/lib/core/streams/program-issues';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import type { LiveRecord } from './live-record';

export interface ProgramReporterOptions {
  readonly record: Pick<LiveRecord, 'recordProgram' | 'recordSwitch' | 'recordSlate'>;
  readonly publish: () => AuthorizedPublish;
  readonly report: () => ProgramReport;
  /** Called with the issues of the input on air. */
  readonly onIssues: (issues: readonly string[]) => void;
}

/** Time after the connection of an encoder at which its first bitrate and frame rate are known. */
const FIRST_RATES_MS = 2_000;

/** Interval of writes while an encoder is connected. It is shorter with two encoders, which the dashboard compares. */
const refreshIntervalMs = ({ primary, standby }: ProgramReport): number =>
  primary && standby ? 2_000 : 10_000;

/** Writes the program of a stream: at every change, and regularly while an encoder is connected. */
export class ProgramReporter {
  readonly #options: ProgramReporterOptions;
  #input: ProgramInput | null = null;
  /** The last encoder on air. */
  #lastEncoder: ProgramInput | null = null;
  #writtenFacts = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProgramReporterOptions) {
    this.#options = options;
  }

  /** Writes the program if the input on air changed, or an encoder connected or disconnected. */
  update(): void {
    const { record, publish } = this.#options;
    const program = this.#options.report();
    if (program.input !== this.#input) this.#onInputChange(program);
    const facts = JSON.stringify([
      program.input,
      program.since,
      program.byHand,
      ...connectionTimesOf(program),
    ]);
    if (facts !== this.#writtenFacts) record.recordProgram(publish(), program);
    this.#writtenFacts = facts;
    clearTimeout(this.#timer);
    if (program.primary || program.standby) this.#refreshAfter(FIRST_RATES_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #refreshAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      const program = this.#options.report();
      this.#options.record.recordProgram(this.#options.publish(), program);
      this.#refreshAfter(refreshIntervalMs(program));
    }, ms);
  }

  #onInputChange({ input, since, byHand }: ProgramReport): void {
    const { record, onIssues } = this.#options;
    const publish = this.#options.publish();
    const inputBefore = this.#input;
    this.#input = input;
    if (inputBefore === 'slate') record.recordSlate(publish, false);
    if (input === 'slate') record.recordSlate(publish, true);
    const message = byHand ? manualSlateIssue : slateOnAirIssue;
    if (input === 'slate') onIssues([message(new Date(since))]);
    else if (inputBefore === 'slate') onIssues([]);
    if (input === null || input === 'slate') return;
    if (this.#lastEncoder !== null && this.#lastEncoder !== input) record.recordSwitch(publish, input);
    this.#lastEncoder = input;
  }
}

const connectionTimesOf = ({ primary, standby }: ProgramReport) => [
  primary?.connectedAt,
  standby?.connectedAt,
];
