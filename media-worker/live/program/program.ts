import {
  chooseByHand,
  chooseInput,
  nothingOnAir,
  type ProgramChoice,
  type ProgramFacts,
  type ProgramInput as InputName,
  type ProgramReport,
  type ProgramState,
} from '@/lib/core/streams/program-state';
import type { Publisher } from '@/lib/core/streams/publish-admission';
import { metrics } from '@/lib/infra/metrics/metrics';
import { noProgram, type ProgramSettings } from '@/lib/domain/streams';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';
import { ProgramEncoders } from './program-encoders';
import { ProgramInput, type EncoderRole } from './program-input';
import { ProgramIssues } from './program-issues';
import type { ProgramOptions } from './program-observer';
import { ProgramOutput } from './program-output';

/** How often it looks whether an encoder has fallen silent, if there is something else to show. */
const lookMs = 250;

/**
 * What a session shows, whoever sends it: one sequence of packets with one timeline, from the first encoder to the end of the
 * session. Which input it is made of is decided in core/streams/program-state.
 */
export class Program {
  readonly #options: ProgramOptions;
  readonly #output: ProgramOutput;
  readonly #issues: ProgramIssues;
  readonly #inputs = new ProgramEncoders();
  #settings: ProgramSettings = noProgram;
  #state: ProgramState = nothingOnAir;
  #since: number;
  /** Waits for its keyframe. */
  #wanted: ProgramChoice | null = null;
  #look: NodeJS.Timeout | undefined;
  #playable = false;
  #ended = false;

  constructor(options: ProgramOptions) {
    const { observer, ...rest } = options;
    this.#options = options;
    this.#since = options.clock.now().getTime();
    this.#issues = new ProgramIssues((issues) => observer.issues(issues));
    this.#output = new ProgramOutput({
      ...rest,
      segment: () => {
        if (this.#playable) return;
        this.#playable = true;
        observer.playable();
      },
      shown: () => this.#onAir?.markShown(),
      issue: (message) => this.#issues.add(message),
      resolved: (message) => this.#issues.resolve(message),
      refused: (message) => this.#refused(message),
      failed: () => this.#onAir?.connection.cut('lost'),
    });
  }

  get report(): ProgramReport {
    return { ...this.#state, since: this.#since, ...this.#inputs.reports };
  }

  get input(): InputName | null {
    return this.#state.input;
  }

  /** `coming`: it is being made. Null: there is none. */
  get slate(): 'ready' | 'coming' | null {
    return this.#output.slate;
  }

  /** Encoders that are connected. */
  get encoders(): number {
    return this.#inputs.all.length;
  }

  publisher(role: EncoderRole): Publisher | null {
    return this.#inputs.at(role)?.publisher ?? null;
  }

  /** Of the encoder on air, or else of one that waits; null without one. */
  get silentMs(): number | null {
    return (this.#onAir ?? this.#inputs.all[0])?.silentMs ?? null;
  }

  configure(settings: ProgramSettings): void {
    this.#settings = settings;
    // An encoder that is alone stays, whatever it is called.
    if (!settings.backup && this.encoders > 1) this.disconnect('cut', 'standby');
    this.#output.configure(settings);
    clearInterval(this.#look);
    if (this.#ended || (!settings.backup && !settings.slate)) return;
    this.#look = setInterval(() => this.#choose(), lookMs);
    this.#choose();
  }

  /** @param run names the segments, if the encoder begins them */
  connect(role: EncoderRole, connection: PublisherConnection, run: number): PublishSink {
    this.disconnect('replaced', role);
    const input: ProgramInput = new ProgramInput({
      ...{ role, connection, clock: this.#options.clock, about: this.#options.names },
      announced: (tracks) => {
        if ([null, role].some((each) => each === this.#state.input)) this.#output.announced(tracks);
      },
      packet: (packet) => this.#packet(input, packet),
      seen: (silentMs) => this.#seen(input, silentMs),
      ended: (reason) => this.#gone(input, reason),
    });
    this.#inputs.set(role, input);
    this.#output.startRun(run);
    this.#playable = false;
    this.#choose();
    this.#options.observer.changed();
    return input.sink;
  }

  disconnect(reason: PublishEnd, role?: EncoderRole): void {
    const inputs = this.#inputs.all.filter((input) => role === undefined || input.role === role);
    for (const { connection } of inputs) connection.cut(reason);
  }

  /** What a person wants to see; false: it is not there. */
  switchTo(input: InputName): boolean {
    const choice = chooseByHand(this.#state, input, this.#facts);
    if (choice) this.#follow(choice);
    return choice !== null;
  }

  /** Nothing follows. May be called twice. */
  end(reason: PublishEnd): void {
    this.#ended = true;
    clearInterval(this.#look);
    this.#output.end(reason);
  }

  get #onAir(): ProgramInput | null {
    return this.#inputs.at(this.#state.input);
  }

  get #facts(): ProgramFacts {
    const { fallbackAfterMs } = this.#settings;
    return { ...this.#inputs.facts, slate: this.slate === 'ready', fallbackAfterMs };
  }

  #choose(): void {
    if (this.#ended) return;
    const [state, facts] = [this.#state, this.#facts];
    // What a person chose is waited for.
    const asked = this.#wanted?.byHand ? chooseByHand(state, this.#wanted.input ?? 'primary', facts) : null;
    this.#follow(asked ?? chooseInput(state, facts));
  }

  #follow(choice: ProgramChoice): void {
    const { input, byHand } = choice;
    if (input === this.#state.input) {
      this.#wanted = null;
      if (byHand !== this.#state.byHand) this.#became({ input, byHand });
    } else if (input === null) this.#hold();
    else if (input === 'slate') {
      this.#output.showSlate();
      this.#became({ input, byHand });
    } else {
      const encoder = this.#inputs.at(input);
      if (encoder) this.#prefer(encoder, choice);
    }
  }

  #prefer(encoder: ProgramInput, choice: ProgramChoice): void {
    const isOnAirGone = this.#state.input !== null && this.#state.input !== 'slate' && !this.#onAir;
    if (choice.urgent && encoder.isPunctual && encoder.pictures.length > 0) this.#enter(encoder, choice);
    else {
      if (isOnAirGone) this.#hold();
      if (this.#state.input !== null || encoder.facts.ready) this.#wanted = choice;
      else {
        this.#output.begin();
        this.#became(choice);
      }
    }
  }

  #packet(input: ProgramInput, packet: MediaPacket): void {
    if (this.#ended) return;
    if (this.#state.input === input.role) this.#output.push(packet);
    else if (input.rejection !== undefined) this.#refuse(input, input.rejection);
    else if (input.isEntry(packet)) {
      if (this.#wanted?.input !== input.role) this.#choose();
      if (this.#wanted?.input === input.role) this.#enter(input, this.#wanted, packet);
    }
  }

  #enter(encoder: ProgramInput, choice: ProgramChoice, packet?: MediaPacket): void {
    this.#output.enter(encoder, packet);
    this.#became(choice);
  }

  #hold(): void {
    this.#output.hold();
    this.#became(nothingOnAir);
  }

  #became({ input, byHand }: ProgramState): void {
    this.#wanted = null;
    if (input !== this.#state.input) this.#since = this.#options.clock.now().getTime();
    this.#state = { input, byHand };
    if (this.#onAir) this.#issues.clear();
    this.#options.observer.changed();
  }

  #gone(input: ProgramInput, reason: PublishEnd): void {
    if (this.#inputs.at(input.role) !== input) return;
    const { observer } = this.#options;
    const { silentMs } = input;
    this.#seen(input, silentMs);
    this.#inputs.set(input.role, null);
    if (this.encoders > 0) {
      this.#choose();
      observer.changed();
      return;
    }
    if (reason === 'finished' || reason === 'cut') this.end(reason);
    else {
      // What is there is shown, however little it is; the encoder that replaces this one is already connected.
      if (!this.#playable || reason === 'replaced') this.#hold();
      if (reason !== 'replaced') this.#choose();
    }
    observer.ended(reason, silentMs);
    observer.changed();
  }

  /** An encoder whose media is refused has shown nothing. */
  #seen(input: ProgramInput, silentMs: number): void {
    if (this.#onAir === input && input.isShown) this.#options.observer.seen(silentMs);
  }

  #refused(message: string): void {
    this.#issues.add(message);
    const input = this.#onAir;
    if (input) this.#refuse(input, message);
  }

  #refuse(input: ProgramInput, message: string): void {
    metrics.publishesRefused.inc({ reason: 'unsupported_media' });
    this.#options.observer.rejected(message, input.connection.ip);
    input.connection.cut('cut', message);
  }
}
