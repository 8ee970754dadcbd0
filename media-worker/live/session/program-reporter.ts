import type { ProgramInput, ProgramReport } from '@/lib/core/streams/program-state';
import { slateChosenManually, slateOnAir } from '@/lib/core/streams/program-issues';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import type { LiveRecord } from './live-record';

export interface ProgramNewsOptions {
  readonly record: Pick<LiveRecord, 'program' | 'onSwitch' | 'slate'>;
  readonly publish: () => AuthorizedPublish;
  readonly report: () => ProgramReport;
  /** Issues of the input on air. */
  readonly issues: (issues: readonly string[]) => void;
}

/** The first bitrate and frame rate of an encoder are known about this long after it connected. */
const firstFiguresMs = 2_000;

/** Two encoders are compared side by side. */
const refreshMs = ({ primary, standby }: ProgramReport): number => (primary && standby ? 2_000 : 10_000);

/** Writes the program of a stream: at every change, and regularly while an encoder is connected. */
export class ProgramReporter {
  readonly #options: ProgramNewsOptions;
  #input: ProgramInput | null = null;
  /** The last encoder on air. */
  #encoder: ProgramInput | null = null;
  #written = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProgramNewsOptions) {
    this.#options = options;
  }

  /** Writes the program if the input on air changed, or an encoder connected or disconnected. */
  update(): void {
    const { record, publish } = this.#options;
    const program = this.#options.report();
    if (program.input !== this.#input) this.#changed(program);
    const facts = JSON.stringify([program.input, program.since, program.byHand, ...encodersOf(program)]);
    if (facts !== this.#written) record.program(publish(), program);
    this.#written = facts;
    clearTimeout(this.#timer);
    if (program.primary || program.standby) this.#refreshAfter(firstFiguresMs);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #refreshAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      const program = this.#options.report();
      this.#options.record.program(this.#options.publish(), program);
      this.#refreshAfter(refreshMs(program));
    }, ms);
  }

  #changed({ input, since, byHand }: ProgramReport): void {
    const { record, issues } = this.#options;
    const publish = this.#options.publish();
    const inputBefore = this.#input;
    this.#input = input;
    if (inputBefore === 'slate') record.slate(publish, false);
    if (input === 'slate') record.slate(publish, true);
    const message = byHand ? slateChosenManually : slateOnAir;
    if (input === 'slate') issues([message(new Date(since))]);
    else if (inputBefore === 'slate') issues([]);
    if (input === null || input === 'slate') return;
    if (this.#encoder !== null && this.#encoder !== input) record.onSwitch(publish, input);
    this.#encoder = input;
  }
}

const encodersOf = ({ primary, standby }: ProgramReport) => [primary?.connectedAt, standby?.connectedAt];
